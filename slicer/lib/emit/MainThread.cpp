// SPDX-License-Identifier: Apache-2.0
#include "emit/MainThread.h"
#include "emit/Forward.h"
#include "emit/PragmaInsertions.h"
#include "input/Places.h"
#include "input/Traversal.h"
#include <clang/Lex/Lexer.h>

namespace forerun::slicer {

using Action = CallPlan::Action;

namespace {

/// What is put around a call.
struct Brackets {
  std::string before, after;
  bool operator==(const Brackets &) const = default;
};

/// All calls of a unit, each with the function that makes it.
class AllCalls : public Traversal {
public:
  struct Found {
    const clang::CallExpr *call;
    const clang::FunctionDecl *function;
  };

  std::vector<Found> found;

private:
  void enterDecl(clang::Decl &declaration) override {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&declaration))
      function_ = function;
  }
  bool enterStmt(clang::Stmt &node) override {
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&node))
      found.push_back({call, function_});
    return true;
  }

  const clang::FunctionDecl *function_ = nullptr;
};

class MainThread {
public:
  MainThread(EmitScope &scope, FileEdits &edits) : scope_(scope), edits_(edits) {}

  void edit() {
    all_.traverse(scope_.ast.getTranslationUnitDecl());
    const auto *main = scope_.slice.main;
    if (main && &main->getASTContext() == &scope_.ast)
      editBegin();
    for (auto [call, function] : all_.found) {
      const auto *plan = planOf(call);
      const bool isInit = scope_.slice.inits.count(call) > 0;
      if (isInit ? editInit(call, plan) : plan && editCall(call, *plan))
        edited(function);
    }
    checkSharedMacros(all_.found);
    for (const PragmaInsertion &each : pragmaInsertions(scope_)) {
      edits_[scope_.sources.getMainFileID()].insert(each.offset, each.text);
      edited(each.function);
      startsHere_ |= each.function == scope_.slice.launchIn;
    }
    if (firstEdited_.isValid())
      introduce();
  }

private:
  /// The plan of a call that is edited.
  const CallPlan *planOf(const clang::CallExpr *call) const {
    auto found = scope_.slice.plans.find(call);
    if (found == scope_.slice.plans.end() || found->second.site < 0)
      return nullptr;
    auto action = found->second.action;
    return action == Action::Io || action == Action::Receive || action == Action::StandIn
               ? &found->second
               : nullptr;
  }

  void editBegin();
  bool editInit(const clang::CallExpr *call, const CallPlan *plan);
  bool editCall(const clang::CallExpr *call, const CallPlan &plan);
  void checkSharedMacros(const std::vector<AllCalls::Found> &calls);
  void introduce();
  bool editQuoted(const clang::CallExpr *call, const Brackets &around);
  unsigned startOfDeclaration(clang::FileID file, unsigned offset) const;
  unsigned endOfDeclarationBefore(clang::FileID file, unsigned offset) const;

  Brackets brackets(const clang::CallExpr *call, const CallPlan &plan, const CallPlace &place);

  bool isEditable(const Stretch &stretch, const clang::CallExpr *call) {
    const char *why = whyLeftAlone(stretch.file, scope_.sources);
    if (why)
      scope_.fail(call->getBeginLoc(), why, call);
    return why == nullptr;
  }
  void edited(const clang::FunctionDecl *function) {
    auto begin = scope_.sources.getExpansionLoc(function->getBeginLoc());
    if (firstEdited_.isInvalid() || scope_.sources.isBeforeInTranslationUnit(begin, firstEdited_))
      firstEdited_ = begin;
  }

  EmitScope &scope_;
  FileEdits &edits_;
  clang::SourceLocation firstEdited_; ///< where the function begins
  bool startsHere_ = false;           ///< the pre-execution thread
  std::map<Stretch, Brackets> edited_;
  AllCalls all_;
  std::map<Stretch, Stretch> quoting_; ///< uses of macros that turn the call inside into a string
};

/// Right after the brace that opens main.
void MainThread::editBegin() {
  const auto *main = scope_.slice.main;
  auto brace = stretchOf(main->getBody()->getBeginLoc(), scope_.ast);
  if (!brace || whyLeftAlone(brace->file, scope_.sources)) {
    scope_.fail(main->getLocation(), "nothing can be inserted where main begins");
    return;
  }
  bool named = main->getNumParams() >= 2 && main->getParamDecl(0)->getIdentifier() &&
               main->getParamDecl(1)->getIdentifier();
  std::string arguments = named ? main->getParamDecl(0)->getNameAsString() + ", " +
                                      main->getParamDecl(1)->getNameAsString()
                                : "0, (char **)0";
  edits_[brace->file].insert(brace->end, " forerun_main_begin(" + arguments + ");");
  edited(main);
}

bool MainThread::editInit(const clang::CallExpr *call, const CallPlan *plan) {
  auto place = spellingOf(call, scope_.ast);
  const clang::FunctionDecl *callee = call->getDirectCallee();
  if (!place || !callee ||
      !llvm::StringRef(textOf(*place, scope_.ast)).starts_with(callee->getName())) {
    scope_.fail(call->getBeginLoc(), "the call of MPI_Init is put together by macros", call);
    return false;
  }
  if (!isEditable(*place, call))
    return false;
  Brackets around{"forerun_main_", ""};
  if (scope_.slice.exchanges)
    around = {"forerun_main_exchange(" + around.before, ")"};
  if (!scope_.slice.launch) {
    startsHere_ = true;
    around = {"forerun_main_start(main__pre, " + std::to_string(scope_.slice.sites) + ", " +
                  around.before,
              ")" + around.after};
  }
  if (plan) { // its result is handed over when the thread has been started
    const auto callPlace = placeOf(call, scope_.ast);
    if (!callPlace || !(callPlace->call == *place)) {
      scope_.fail(call->getBeginLoc(), "the call of MPI_Init is put together by macros", call);
      return false;
    }
    const Brackets outer = brackets(call, *plan, *callPlace);
    around = {outer.before + around.before, around.after + outer.after};
  }
  if (!editQuoted(call, around))
    edits_[place->file].wrap(place->begin, place->end, around.before, around.after);
  return true;
}

Brackets MainThread::brackets(const clang::CallExpr *call, const CallPlan &plan,
                              const CallPlace &place) {
  const std::string site = std::to_string(plan.site);
  const auto type = call->getType();
  if (plan.action == Action::Io && type->isSpecificBuiltinType(clang::BuiltinType::Int))
    return {"forerun_main_done(" + site + ", ", ")"};
  std::string steps;
  if (plan.action == Action::Io) // through a pointer to such a function
    steps = "forerun_main_done(" + site + ", " +
            (type->isIntegerType() ? "(int)forerun_value" : "0") + "); ";
  for (const auto &forwarded : plan.forwarded)
    steps += forwardText(scope_, call, plan.site, forwarded, place);
  if (plan.action == Action::StandIn)
    steps = "forerun_main_done(" + site + ", 0); ";
  std::string begin = "__extension__({ ";
  if (plan.completes >= 0) {
    const std::string requests = argumentAgain(scope_, call, plan.completes, place);
    const std::string count =
        plan.requests < 0 ? "1" : argumentAgain(scope_, call, plan.requests, place);
    begin += "forerun_main_completing(" + count + ", " + requests + "); ";
    steps = "forerun_main_completed(" + requests + "); " + steps;
  }
  if (call->getType()->isVoidType())
    return {begin, "; " + steps + "(void)0; })"};
  std::string value;
  llvm::raw_string_ostream out(value);
  call->getType().getUnqualifiedType().print(out, scope_.policy, "forerun_value");
  return {begin + value + " = ", "; " + steps + "forerun_value; })"};
}

bool MainThread::editCall(const clang::CallExpr *call, const CallPlan &plan) {
  auto place = placeOf(call, scope_.ast);
  if (!place) {
    scope_.fail(call->getBeginLoc(), "the call is put together by several macros", call);
    return false;
  }
  if (!isEditable(place->call, call))
    return false;
  auto around = brackets(call, plan, *place);
  auto [known, isNew] = edited_.try_emplace(place->call, around);
  if (!isNew && !(known->second == around)) {
    scope_.fail(call->getBeginLoc(), "a macro makes several calls with different sites here", call);
    return false;
  }
  if (place->inMacro || !editQuoted(call, around))
    edits_[place->call.file].wrap(place->call.begin, place->call.end, around.before, around.after);
  return true;
}

/// `CHECK(MPI_File_read(...))`, where CHECK prints `#call`: its output must stay as it was. So the
/// text of the call does, and the function's name is a macro while CHECK is expanded. False if this
/// is not such a use, or that cannot be done.
bool MainThread::editQuoted(const clang::CallExpr *call, const Brackets &around) {
  auto &preprocessor = scope_.unit.ast->getPreprocessor();
  auto use = quotingUseAround(call, scope_.ast, preprocessor);
  auto spelling = spellingOf(call, scope_.ast);
  const auto *callee = call->getDirectCallee();
  if (!use || !spelling || !callee || !use->contains(*spelling))
    return false;
  std::string name = callee->getNameAsString();
  bool isNamed = llvm::StringRef(textOf(*spelling, scope_.ast)).starts_with(name + "(");
  bool isOneLine = (around.before + around.after).find('\n') == std::string::npos;
  if (!isNamed || !isOneLine || callee->getIdentifier()->hadMacroDefinition())
    return false;
  for (auto [other, function] : all_.found) {
    auto at = other->getDirectCallee() == callee ? spellingOf(other, scope_.ast) : std::nullopt;
    if (at && use->contains(*at) && !(*at == *spelling))
      return false;
  }
  auto [known, isNew] = quoting_.try_emplace(*use, *spelling);
  if (!isNew)
    return known->second == *spelling; // one call, expanded twice
  edits_[use->file].wrap(
      use->begin, use->end,
      "\n#define " + name + "(...) " + around.before + name + "(__VA_ARGS__)" + around.after +
          "\n" + lineDirective(use->file, use->begin, scope_.sources),
      "\n#undef " + name + "\n" + lineDirective(use->file, use->end, scope_.sources));
  return true;
}

/// An insertion into a macro's definition (or an argument that is used twice) affects every use:
/// each must be a call that is edited, and in the same way.
void MainThread::checkSharedMacros(const std::vector<AllCalls::Found> &calls) {
  if (edited_.empty())
    return;
  for (auto [call, function] : calls) {
    if (call->getBeginLoc().isFileID() || planOf(call) || scope_.slice.inits.count(call) > 0)
      continue;
    if (auto place = placeOf(call, scope_.ast); place && edited_.count(place->call))
      scope_.fail(call->getBeginLoc(),
                  "a macro makes this call, which has no site, and others that have one", call,
                  true);
  }
}

/// Declares the runtime's functions before the first function that calls them, not at the top of
/// the file: the program may have to define something before its first system header.
void MainThread::introduce() {
  auto [file, begin] = scope_.sources.getDecomposedLoc(firstEdited_);
  unsigned offset = startOfDeclaration(file, begin);
  auto before = scope_.sources.getBufferData(file).take_front(offset);
  auto line = before.substr(before.rfind('\n') + 1);
  bool beginsLine = line.find_first_not_of(" \t") == llvm::StringRef::npos;
  std::string text = beginsLine ? "" : "\n";
  text += "#include \"forerun/runtime.h\"\n";
  if (startsHere_)
    text += "int main__pre(int argc, char **argv);\n";
  text += lineDirective(file, offset, scope_.sources);
  edits_[file].insert(beginsLine ? unsigned(offset - line.size()) : offset, text);
}

/// The end of the last declaration before `offset`. Macros may hide its closing brace.
unsigned MainThread::endOfDeclarationBefore(clang::FileID file, unsigned offset) const {
  unsigned result = 0;
  for (const auto *declaration : scope_.ast.getTranslationUnitDecl()->decls()) {
    if (scope_.sources.getFileID(scope_.sources.getExpansionLoc(declaration->getLocation())) !=
        file)
      continue;
    auto stretch = stretchOf(declaration->getSourceRange(), scope_.ast);
    if (stretch && stretch->end <= offset)
      result = std::max(result, stretch->end);
  }
  return result;
}

/// The start of the declaration at file level in which `offset` lies, with attributes and macros
/// before it.
unsigned MainThread::startOfDeclaration(clang::FileID file, unsigned offset) const {
  clang::Lexer lexer(scope_.sources.getLocForStartOfFile(file), scope_.ast.getLangOpts(),
                     scope_.sources.getBufferData(file).begin(),
                     scope_.sources.getBufferData(file).begin(),
                     scope_.sources.getBufferData(file).end());
  unsigned start = 0, previousEnd = endOfDeclarationBefore(file, offset);
  bool isFirst = true, inDirective = false;
  for (clang::Token token; !lexer.LexFromRawLexer(token);) {
    unsigned at = scope_.sources.getFileOffset(token.getLocation());
    if (at > offset)
      break;
    if (token.isAtStartOfLine()) {
      isFirst = isFirst || inDirective;
      inDirective = token.is(clang::tok::hash);
    }
    if (inDirective)
      continue;
    if (isFirst || (start < previousEnd && at >= previousEnd))
      start = at;
    isFirst = token.isOneOf(clang::tok::semi, clang::tok::r_brace);
  }
  return start;
}

} // namespace

void editMainThread(EmitScope &scope, FileEdits &edits) { MainThread(scope, edits).edit(); }

} // namespace forerun::slicer
