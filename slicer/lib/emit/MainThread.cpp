// SPDX-License-Identifier: Apache-2.0
#include "emit/MainThread.h"
#include "emit/AllCalls.h"
#include "emit/Forward.h"
#include "emit/PragmaInsertions.h"
#include "facts/IoCalls.h"
#include "input/Places.h"
#include "input/Quotes.h"
#include "slice/needs/HandedStatements.h"
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>

namespace forerun::slicer {

namespace {

constexpr const char *kNotAgain = "an argument cannot be named a second time in a macro";

/// What is put around a call.
struct Brackets {
  std::string before, after;
  bool operator==(const Brackets &) const = default;
};

class MainThread {
public:
  MainThread(EmitScope &scope, FileEdits &edits)
      : scope_(scope), edits_(edits), quotes_(scope.ast, scope.unit.ast->getPreprocessor()) {}

  /// Returns whether the pre-execution thread starts here.
  bool edit() {
    all_.traverse(scope_.ast.getTranslationUnitDecl());
    const auto *main = scope_.slice.main;
    if (main && &main->getASTContext() == &scope_.ast)
      editBegin();
    for (auto [call, function] : all_.found) {
      const auto *plan = planOf(call);
      if (scope_.slice.inits.count(call) > 0)
        editInit(call, plan);
      else if (plan)
        editCall(call, *plan);
    }
    findSharedMacros();
    for (const auto &[stretch, place] : places_)
      editPlace(stretch, place);
    for (const PragmaInsertion &each : pragmaInsertions(scope_)) {
      edits_[scope_.sources.getMainFileID()].insert(each.offset, each.text);
      startsHere_ |= each.function == scope_.slice.launchIn;
    }
    editConditions();
    return startsHere_;
  }

private:
  /// The plan of a call that is edited.
  const CallPlan *planOf(const clang::CallExpr *call) const {
    const CallPlan *plan = scope_.slice.planOf(scope_.analysed(call));
    return plan && plan->site >= 0 ? plan : nullptr;
  }

  void editBegin();
  void editConditions();
  void editInit(const clang::CallExpr *call, const CallPlan *plan);
  void editCall(const clang::CallExpr *call, const CallPlan &plan);
  void findSharedMacros();
  bool isMacroThere(const clang::IdentifierInfo &name, const clang::CallExpr *call) const;
  std::optional<CallPlace> placeByName(const clang::CallExpr *call) const;
  bool editByName(const clang::CallExpr *call, const CallPlan &plan);
  bool editByName(const clang::CallExpr *call, const CallPlace &place, const Brackets &around);

  std::optional<Brackets> brackets(const clang::CallExpr *call, const CallPlan &plan,
                                   const CallPlace &place);

  bool isEditable(const Stretch &stretch, const clang::CallExpr *call) {
    const char *why = whyLeftAlone(stretch.file, scope_.sources);
    if (why)
      scope_.fail(call->getBeginLoc(), why, call);
    return why == nullptr;
  }

  /// Where calls are written that are edited.
  struct Place {
    std::vector<std::pair<const clang::CallExpr *, const CallPlan *>>
        calls;                                 ///< in a macro: several
    CallPlace first;                           ///< of the first of them
    bool isText = false;                       ///< a macro makes a text of one of them
    const clang::CallExpr *stranger = nullptr; ///< written there as well, and not edited there
  };
  void editPlace(const Stretch &stretch, const Place &place);
  const char *whyNot(const clang::CallExpr *call, const CallPlan &plan, const Place &place);
  std::optional<Brackets> sameBrackets(const Place &place);

  EmitScope &scope_;
  FileEdits &edits_;
  bool startsHere_ = false; ///< the pre-execution thread
  std::map<Stretch, Place> places_;
  AllCalls all_;
  const Quotes quotes_;
  /// Uses of macros during which a function's name is a macro.
  std::map<std::pair<Stretch, std::string>, Brackets> byName_;
};

/// The function, or the pointer to one, if the call consists of its name and arguments.
const clang::NamedDecl *calledByName(const clang::CallExpr *call) {
  const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreImpCasts());
  return name ? name->getDecl() : nullptr;
}

/// The brace that opens the body, or the end of the label declarations, which have to come first.
clang::SourceLocation beginOf(const clang::Stmt *body) {
  clang::SourceLocation result = body->getBeginLoc();
  for (const auto *each : body->children()) {
    const auto *declared = llvm::dyn_cast<clang::DeclStmt>(each);
    if (!declared || !llvm::isa<clang::LabelDecl>(*declared->decl_begin()))
      break;
    result = declared->getEndLoc();
  }
  return result;
}

/// Inserts text where main begins.
void MainThread::editBegin() {
  const auto *main = scope_.slice.main;
  auto brace = stretchOf(beginOf(main->getBody()), scope_.ast);
  if (!brace || whyLeftAlone(brace->file, scope_.sources)) {
    scope_.fail(main->getLocation(), "nothing can be inserted where main begins");
    return;
  }
  bool named = main->getNumParams() >= 2 && main->getParamDecl(0)->getIdentifier() &&
               main->getParamDecl(1)->getIdentifier();
  std::string arguments = named ? main->getParamDecl(0)->getNameAsString() + ", " +
                                      main->getParamDecl(1)->getNameAsString()
                                : "0, (char **)0";
  const bool callsMpi = scope_.slice.exchanges || scope_.slice.takesDatatypes;
  edits_[brace->file].insert(brace->end, " forerun_main_begin(" + arguments + ");" +
                                             (callsMpi ? "" : " forerun_main_without_mpi();"));
}

void MainThread::editInit(const clang::CallExpr *call, const CallPlan *plan) {
  const clang::FunctionDecl *callee = call->getDirectCallee();
  auto place = spellingOf(call, scope_.ast);
  const bool isWhole = place && callee && isCallText(*place, scope_.ast) &&
                       llvm::StringRef(textOf(*place, scope_.ast)).starts_with(callee->getName());
  if (const auto named = placeByName(call); !isWhole && named && !plan)
    place = named->call;
  else if (!isWhole) {
    scope_.fail(call->getBeginLoc(), "the call of MPI_Init is put together by macros", call);
    return;
  }
  if (!isEditable(*place, call))
    return;
  Brackets around{"forerun_main_", ""};
  if (scope_.slice.exchanges)
    around = {"forerun_main_exchange(" + around.before, ")"};
  if (!scope_.slice.launch) {
    startsHere_ = true;
    around = {"forerun_main_start(" + scope_.names.mainTwin() + ", " +
                  std::to_string(scope_.slice.sites) + ", " + around.before,
              ")" + around.after};
  }
  if (plan) { // its result is handed over when the thread has been started
    scope_.editedCalls.push_back(call);
    const auto callPlace = placeOf(call, scope_.ast);
    if (!callPlace || !(callPlace->call == *place)) {
      scope_.fail(call->getBeginLoc(), "the call of MPI_Init is put together by macros", call);
      return;
    }
    const auto outer = brackets(call, *plan, *callPlace);
    if (!outer) {
      scope_.fail(call->getBeginLoc(), kNotAgain, call);
      return;
    }
    around = {outer->before + around.before, around.after + outer->after};
  }
  const bool isText = quotes_.isVisible(call, *place);
  if (const auto named = placeByName(call);
      named && (!isWhole || isText) && editByName(call, *named, around))
    return;
  if (isText)
    scope_.fail(call->getBeginLoc(), "a macro makes a text of the call of MPI_Init", call);
  else
    edits_[place->file].wrap(place->begin, place->end, around.before, around.after);
}

/// The conditions are in the unit's own text (Steering.cpp).
void MainThread::editConditions() {
  for (const auto &[stmt, handed] : scope_.slice.conditionsInOrder()) {
    if (&handed.function->getASTContext() != &scope_.ast)
      continue;
    const auto *condition = handedExpr(stmt);
    const auto place = stretchOf(condition->getSourceRange(), scope_.ast);
    if (!place)
      scope_.fail(condition->getBeginLoc(), "nothing can be put around this condition");
    else
      edits_[place->file].wrap(place->begin, place->end,
                               "forerun_main_condition(" + std::to_string(handed.site) + ", !!(",
                               "))");
  }
}

/// Empty if they would have to name an argument a second time that cannot be named there.
std::optional<Brackets> MainThread::brackets(const clang::CallExpr *call, const CallPlan &plan,
                                             const CallPlace &place) {
  const std::string site = std::to_string(plan.site);
  const auto type = call->getType();
  const auto *io = plan.as<CallPlan::Io>();
  const auto *twin = plan.as<CallPlan::Twin>();
  const bool isFromEnd = io && io->isFromEnd;
  if ((plan.isIo() || (twin && !twin->opens)) && !isFromEnd &&
      type->isSpecificBuiltinType(clang::BuiltinType::Int)) {
    const std::string done = "forerun_main_done(" + site + ", ";
    return plan.movesGenerators ? Brackets{"forerun_main_generators(" + site + ", " + done, "))"}
                                : Brackets{done, ")"};
  }
  std::string steps;
  if (!plan.is<CallPlan::Receive>())
    steps = "forerun_main_done(" + site + ", 0); ";
  bool isComplete = true;
  EarlyArguments arguments(
      call, scope_.ast,
      [&](int index) {
        const std::string &text = place.arguments.at(static_cast<std::size_t>(index));
        isComplete &= !text.empty();
        return text;
      },
      place.inMacro);
  if (isFromEnd)
    steps += "forerun_main_sought(" + site + ", " +
             arguments.value(ioArguments(io->function)->file) + "); ";
  if (plan.movesGenerators)
    steps += "forerun_main_generators(" + site + ", 0); ";
  std::string completing;
  if (const auto *receive = plan.as<CallPlan::Receive>()) {
    for (const auto &forwarded : receive->forwarded)
      steps += forwardText(plan.site, forwarded, arguments);
    if (receive->completes) {
      const auto [requests, count] = *receive->completes;
      const std::string of = arguments.value(requests);
      completing = "forerun_main_completing(" + (count < 0 ? "1" : arguments.value(count)) + ", " +
                   of + "); ";
      steps = "forerun_main_completed(" + of + "); " + steps;
    }
  }
  if (!isComplete)
    return std::nullopt;
  const std::string begin = "__extension__({ " + arguments.declarations() + completing;
  if (call->getType()->isVoidType())
    return Brackets{begin, "; " + steps + "(void)0; })"};
  // The user's compiler knows the type better: Clang assumes int for what it does not know.
  return Brackets{begin + "__auto_type __forerun_value = ", "; " + steps + "__forerun_value; })"};
}

/// A text in the definition of a macro, or in an argument that is used twice, is in every use: it is
/// edited only when all calls that are written there are known.
void MainThread::editCall(const clang::CallExpr *call, const CallPlan &plan) {
  scope_.editedCalls.push_back(call);
  const auto place = placeOf(call, scope_.ast);
  if (!place) {
    if (!editByName(call, plan))
      scope_.fail(call->getBeginLoc(), "the call is put together by several macros", call);
    return;
  }
  if (!isEditable(place->call, call))
    return;
  Place &known = places_.try_emplace(place->call, Place{{}, *place}).first->second;
  known.calls.emplace_back(call, &plan);
  known.isText |= quotes_.isVisible(call, place->call);
}

void MainThread::findSharedMacros() {
  for (auto [call, function] : all_.found) {
    if (call->getBeginLoc().isFileID())
      continue;
    const bool isEdited = planOf(call) || scope_.slice.inits.count(call) > 0;
    const auto own = isEdited ? placeOf(call, scope_.ast) : std::nullopt;
    for (const auto &[file, offset] : beginningsOf(call, scope_.ast))
      for (auto at = places_.lower_bound({file, offset, 0});
           at != places_.end() && at->first.file == file && at->first.begin == offset; ++at)
        if (!(own && own->call == at->first) && !at->second.stranger)
          at->second.stranger = call;
  }
}

/// What goes around all calls that are written there; empty if that is not the same for all.
std::optional<Brackets> MainThread::sameBrackets(const Place &place) {
  std::optional<Brackets> same;
  for (const auto &[call, plan] : place.calls) {
    const auto around = brackets(call, *plan, place.first);
    if (!around || (same && !(*same == *around)))
      return std::nullopt;
    same = around;
  }
  return same;
}

const char *MainThread::whyNot(const clang::CallExpr *call, const CallPlan &plan,
                               const Place &place) {
  if (place.isText)
    return "a macro makes a text of the call, which has to stay as it is";
  return brackets(call, plan, place.first) ? "a macro makes several calls with different sites here"
                                           : kNotAgain;
}

/// Around the text if it is the same edit for all, else in each use by name.
void MainThread::editPlace(const Stretch &stretch, const Place &place) {
  const auto around = place.isText || place.stranger ? std::nullopt : sameBrackets(place);
  if (around) {
    edits_[stretch.file].wrap(stretch.begin, stretch.end, around->before, around->after);
    return;
  }
  for (const auto &[call, plan] : place.calls) {
    if (editByName(call, *plan))
      continue;
    if (place.stranger)
      return scope_.failTogether(place.stranger, call);
    scope_.fail(call->getBeginLoc(), whyNot(call, *plan, place), call);
  }
}

/// `TRY(MPI_File_read, ...)`, where TRY expands to `failed(MPI_File_read(...), "MPI_File_read")`:
/// nothing can be put around the call, but its name can be made a macro there. So all calls of that
/// name that come from there are edited.
std::optional<CallPlace> MainThread::placeByName(const clang::CallExpr *call) const {
  const auto use = useAround(call, scope_.ast);
  const auto *callee = calledByName(call);
  if (!use || !callee || !callee->getIdentifier() || isMacroThere(*callee->getIdentifier(), call) ||
      !isWholeAtItsName(call, scope_.ast))
    return std::nullopt;
  for (auto [other, function] : all_.found)
    if (calledByName(other) == callee && useAround(other, scope_.ast) == use && !planOf(other) &&
        scope_.slice.inits.count(other) == 0)
      return std::nullopt;
  CallPlace place{*use, false, {}};
  for (const auto *argument : call->arguments()) {
    const auto stretch = stretchOf(argument->getSourceRange(), scope_.ast);
    const bool isInside = stretch && use->contains(*stretch);
    place.arguments.push_back(isInside ? textOf(*stretch, scope_.ast) : std::string());
  }
  return place;
}

/// Whether the name is a macro of the program's own where \p call is written; it may be elsewhere.
bool MainThread::isMacroThere(const clang::IdentifierInfo &name,
                              const clang::CallExpr *call) const {
  const auto where = scope_.sources.getExpansionLoc(call->getBeginLoc());
  return scope_.unit.ast->getPreprocessor().getMacroDefinitionAtLoc(&name, where).getMacroInfo() !=
         nullptr;
}

bool MainThread::editByName(const clang::CallExpr *call, const CallPlan &plan) {
  const auto place = placeByName(call);
  const auto around = place ? brackets(call, plan, *place) : std::nullopt;
  return around && editByName(call, *place, *around);
}

/// Makes the function's name a macro while the macros around the call are expanded: also for
/// `CHECK(MPI_File_read(...))`, where CHECK prints `#call`, so that the text of the call stays as
/// it was, unless macros have expanded it there. False if that cannot be done.
bool MainThread::editByName(const clang::CallExpr *call, const CallPlace &place,
                            const Brackets &around) {
  if ((around.before + around.after).find('\n') != std::string::npos || quotes_.isExpanded(call))
    return false;
  const Stretch &use = place.call;
  const std::string name = calledByName(call)->getNameAsString();
  if (whyLeftAlone(use.file, scope_.sources))
    return false;
  const auto [known, isNew] = byName_.try_emplace({use, name}, around);
  if (!isNew)
    return known->second == around;
  edits_[use.file].wrap(
      use.begin, use.end,
      "\n#define " + name + "(...) " + around.before + name + "(__VA_ARGS__)" + around.after +
          "\n" + lineDirective(use.file, use.begin, scope_.sources),
      "\n#undef " + name + "\n" + lineDirective(use.file, use.end, scope_.sources));
  return true;
}

} // namespace

bool editMainThread(EmitScope &scope, FileEdits &edits) { return MainThread(scope, edits).edit(); }

} // namespace forerun::slicer
