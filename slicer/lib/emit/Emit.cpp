// SPDX-License-Identifier: Apache-2.0
#include "emit/Emit.h"
#include "emit/BodyWriter.h"
#include "emit/CallPlaces.h"
#include "emit/Declarations.h"
#include "emit/InlineCopies.h"
#include "emit/MainThread.h"
#include "emit/Marks.h"
#include "emit/Prologue.h"
#include <llvm/ADT/STLExtras.h>
#include <optional>

namespace forerun::slicer {

namespace {

constexpr const char *kBanner =
    "\n/* ---- The pre-execution thread: the slice of this file on the program's MPI-IO calls. "
    "---- */\n";

/// The byte order mark of UTF-8: nothing may precede it.
constexpr llvm::StringLiteral kByteOrderMark = "\xEF\xBB\xBF";

/// A clone has unused variables and empty branches; the user's compiler has already warned about
/// everything else.
constexpr const char *kQuiet = R"(#if defined(__clang__)
#pragma clang diagnostic ignored "-Weverything"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#pragma GCC diagnostic ignored "-Wempty-body"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wreturn-type"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wmissing-declarations"
#pragma GCC diagnostic ignored "-Wredundant-decls"
#pragma GCC diagnostic ignored "-Wdeclaration-after-statement"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Waddress-of-packed-member"
#endif
)";

/// The clones of one unit.
class Clones {
public:
  explicit Clones(EmitScope &scope) : scope_(scope), body_(scope) {
    if (scope.slice.leanSlice)
      lean_.emplace(scope, *scope.slice.leanSlice);
  }

  /// Empty if the unit needs none.
  std::string text() {
    std::vector<const clang::FunctionDecl *> own;
    for (const auto *function : scope_.slice.clones)
      if (&function->getASTContext() == &scope_.ast &&
          (scope_.isInMainFile(function->getLocation()) || !hasLocalClone(function)))
        own.push_back(function);
    std::sort(own.begin(), own.end(), [this](const auto *a, const auto *b) {
      return scope_.sources.isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
    });
    for (const auto *function : own)
      write(function);
    writeUsed();
    std::string globals = privateGlobals(scope_, body_.expressions());
    writeUsed(); // initialisers name functions, too
    if (bodies_.empty() && globals.empty())
      return "";
    return prototypes() + globals + bodies_;
  }

private:
  void write(const clang::FunctionDecl *function) {
    if (!written_.insert(function->getCanonicalDecl()).second)
      return;
    scope_.usedClones.insert(function->getCanonicalDecl());
    write(function, scope_, body_);
    if (!lean_ || !scope_.names.hasLean(function))
      return;
    write(function, lean_->scope, lean_->body);
    scope_.addUsesOf(lean_->scope);
  }

  void write(const clang::FunctionDecl *function, EmitScope &scope, BodyWriter &body) {
    scope.function = function;
    bodies_ += "\n" + cloneHead(scope, body.expressions(), function) + body.body(function) + "\n";
  }

  /// Clones of functions that headers define, if they are called.
  void writeUsed() {
    for (unsigned i = 0; i < scope_.usedClones.size(); i++) { // grows meanwhile
      const clang::FunctionDecl *definition = nullptr;
      if (scope_.usedClones[i]->hasBody(definition) && scope_.slice.clones.count(definition))
        write(definition);
      else if (hasLocalClone(scope_.usedClones[i]) && !written_.count(scope_.usedClones[i]))
        scope_.fail(scope_.usedClones[i]->getLocation(), "this unit has no clone of its own");
    }
  }

  std::string prototypes() {
    std::string text;
    for (const auto *function : scope_.usedClones) {
      const clang::FunctionDecl *definition = nullptr;
      const auto *declared = function->hasBody(definition) ? definition : function;
      scope_.function = declared;
      text += clonePrototype(scope_, body_.expressions(), declared) + "\n";
      if (lean_ && scope_.names.hasLean(function))
        text += clonePrototype(lean_->scope, lean_->body.expressions(), declared) + "\n";
    }
    return text;
  }

  struct Lean {
    Lean(const EmitScope &full, const Slice &slice) : scope(full, slice), body(scope) {}
    EmitScope scope;
    BodyWriter body;
  };

  EmitScope &scope_;
  BodyWriter body_;
  std::optional<Lean> lean_;
  std::set<const clang::FunctionDecl *> written_;
  std::string bodies_;
};

} // namespace

std::string emitUnit(const Unit &unit, const Slice &slice, const CloneNames &names,
                     std::vector<EmitProblem> &problems, std::vector<Written> &written) {
  EmitScope scope(unit, slice, names, problems);
  scope.inlineCopies = inlineCopies(scope);
  FileEdits edits;
  const bool startsHere = editMainThread(scope, edits);
  const bool isEdited = llvm::any_of(edits, [](const auto &each) { return !each.second.empty(); });
  auto text = editedText(scope, std::move(edits));
  if (!text) {
    scope.fail({}, "insertions into the program's text contradict each other");
    return scope.sources.getBufferData(scope.sources.getMainFileID()).str();
  }
  const std::string clones = Clones(scope).text();
  if (!isEdited && clones.empty())
    return *text;
  text->insert(llvm::StringRef(*text).starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0,
               prologue(scope, startsHere));
  const std::string places = callPlaces(scope);
  if (clones.empty() && places.empty())
    return *text;
  if (text->back() != '\n')
    *text += '\n';
  *text += kBanner;
  *text += kQuiet + plainKeywords(scope) + standInDeclarations(scope) + twinFunctions(scope);
  const auto lines = llvm::count(*text, '\n');
  return *text + withoutMarks(clones, unit, unsigned(lines) + 1, written) + places;
}

std::vector<std::string> emitUnits(const Units &units, const Slice &slice,
                                   std::vector<EmitProblem> &problems,
                                   std::vector<Written> *written) {
  CloneNames names(slice, units);
  std::vector<Written> lines;
  std::vector<std::string> texts;
  for (const auto &unit : units)
    texts.push_back(emitUnit(unit, slice, names, problems, lines));
  if (written)
    *written = std::move(lines);
  return texts;
}

} // namespace forerun::slicer
