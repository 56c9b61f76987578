// SPDX-License-Identifier: Apache-2.0
#include "input/Front.h"

#include "ClangResources.h"
#include <clang/Basic/FileManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Serialization/PCHContainerOperations.h>
#include <clang/Tooling/ArgumentsAdjusters.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/StringSaver.h>
#include <llvm/Support/WithColor.h>
#include <set>
#include <tuple>

namespace forerun::slicer {

namespace tooling = clang::tooling;

namespace {

/// Parses, and collects our pragmas on the way.
class ListeningAction : public clang::SyntaxOnlyAction {
public:
  explicit ListeningAction(std::vector<Pragma> &pragmas) : pragmas_(pragmas) {}

protected:
  // NOLINTNEXTLINE(readability-identifier-naming): Clang's name
  bool BeginSourceFileAction(clang::CompilerInstance &compiler) override {
    compiler.getPreprocessor().AddPragmaHandler(pragmaReader(pragmas_).release());
    return true;
  }

private:
  std::vector<Pragma> &pragmas_;
};

/// Makes an ASTUnit from the one invocation that it is given.
class ParseAction : public tooling::ToolAction {
public:
  explicit ParseAction(std::vector<Pragma> &pragmas) : pragmas_(pragmas) {}

  std::unique_ptr<clang::ASTUnit> take() { return std::move(ast_); }

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> invocation,
                     clang::FileManager *files,
                     std::shared_ptr<clang::PCHContainerOperations> containers,
                     clang::DiagnosticConsumer * /*consumer*/) override {
    const auto &input = invocation->getFrontendOpts().Inputs.front();
    if (input.getKind().getLanguage() != clang::Language::C) {
      llvm::WithColor::error() << input.getFile() << ": it is no C source\n";
      return false;
    }
    // The unit owns its diagnostics engine: later stages report through it as well.
    auto diagnostics =
        clang::CompilerInstance::createDiagnostics(&invocation->getDiagnosticOpts(), nullptr, true);
    ast_ = clang::ASTUnit::create(invocation, diagnostics, clang::CaptureDiagsKind::None, false);
    ast_->getFileManager().setVirtualFileSystem(files->getVirtualFileSystemPtr());
    ListeningAction action(pragmas_);
    const bool isDone = clang::ASTUnit::LoadFromCompilerInvocationAction(
        std::move(invocation), std::move(containers), diagnostics, &action, ast_.get());
    return isDone && !diagnostics->hasErrorOccurred();
  }

private:
  std::vector<Pragma> &pragmas_;
  std::unique_ptr<clang::ASTUnit> ast_;
};

/// What the compiler prints for `-show`; nothing if it does not know that option.
std::optional<std::string> askWrapper(llvm::StringRef compiler) {
  auto program = llvm::sys::findProgramByName(compiler);
  llvm::SmallString<64> output;
  if (!program || llvm::sys::fs::createTemporaryFile("forerun", "show", output))
    return std::nullopt;
  int rc = llvm::sys::ExecuteAndWait(*program, {*program, "-show"}, std::nullopt,
                                     {"", output.str(), ""});
  auto text = llvm::MemoryBuffer::getFile(output);
  std::ignore = llvm::sys::fs::remove(output);
  if (rc != 0 || !text)
    return std::nullopt;
  return (*text)->getBuffer().str();
}

/// The preprocessor's options that an MPI wrapper compiler adds.
std::vector<std::string> wrapperOptions(llvm::StringRef compiler) {
  std::vector<std::string> options;
  if (!llvm::sys::path::filename(compiler).contains("mpi"))
    return options;
  auto shown = askWrapper(compiler);
  if (!shown)
    return options;
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char *, 32> words;
  llvm::cl::TokenizeGNUCommandLine(*shown, saver, words);
  for (llvm::StringRef word : words)
    if (word.starts_with("-I") || word.starts_with("-D"))
      options.push_back(word.str());
  return options;
}

/// The command that only parses, with Clang's own headers, and without the warnings that the user's
/// compiler prints itself.
tooling::CommandLineArguments adjusted(const tooling::CompileCommand &command) {
  auto adjust = tooling::combineAdjusters(tooling::getClangStripOutputAdjuster(),
                                          tooling::getClangStripDependencyFileAdjuster());
  adjust = tooling::combineAdjusters(adjust, tooling::getClangSyntaxOnlyAdjuster());
  auto arguments = adjust(command.CommandLine, command.Filename);
  auto added = wrapperOptions(arguments.front());
  added.insert(added.end(), {"-w", "-Wno-error", "-Qunused-arguments",
                             "-resource-dir=" FORERUN_CLANG_RESOURCES});
  arguments.front() = "clang";
  arguments.insert(std::next(arguments.begin()), added.begin(), added.end());
  return arguments;
}

/// By its name, or because the command says so.
bool isC(const tooling::CompileCommand &command) {
  const auto &words = command.CommandLine;
  const auto language = std::find(words.begin(), words.end(), "-x");
  if (language != words.end() && std::next(language) != words.end())
    return *std::next(language) == "c";
  return llvm::sys::path::extension(command.Filename) == ".c";
}

} // namespace

llvm::Expected<Commands> readDatabase(const std::string &path) {
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return llvm::createFileError(path, text.getError());
  if (auto json = llvm::json::parse((*text)->getBuffer()); !json)
    return llvm::createStringError(path + ": it is no JSON: " + llvm::toString(json.takeError()));
  std::string error;
  auto database = tooling::JSONCompilationDatabase::loadFromBuffer(
      (*text)->getBuffer(), error, tooling::JSONCommandLineSyntax::AutoDetect);
  if (!database)
    return llvm::createStringError(path + ": it is no compile_commands.json: " + error);
  Commands commands;
  std::set<std::pair<std::string, std::string>> seen;
  for (auto &command : database->getAllCompileCommands())
    if (isC(command) && seen.emplace(command.Directory, command.Filename).second)
      commands.push_back(std::move(command));
  return commands;
}

tooling::CompileCommand commandFor(const std::string &file, std::vector<std::string> arguments,
                                   const std::string &directory) {
  arguments.push_back(file);
  return {directory, file, std::move(arguments), ""};
}

std::optional<Units> parse(const Commands &commands,
                           llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  if (!files)
    files = llvm::vfs::createPhysicalFileSystem();
  Units units;
  bool ok = true;
  for (const auto &command : commands) {
    if (auto why = files->setCurrentWorkingDirectory(command.Directory)) {
      llvm::WithColor::error() << command.Directory << ": " << why.message() << '\n';
      return std::nullopt;
    }
    llvm::IntrusiveRefCntPtr<clang::FileManager> manager(
        new clang::FileManager(clang::FileSystemOptions(), files));
    std::vector<Pragma> pragmas;
    ParseAction action(pragmas);
    tooling::ToolInvocation invocation(adjusted(command), &action, manager.get(),
                                       std::make_shared<clang::PCHContainerOperations>());
    ok &= invocation.run();
    if (auto ast = action.take())
      units.push_back({std::move(ast), command.Filename, std::move(pragmas)});
  }
  if (!ok || units.size() != commands.size())
    return std::nullopt;
  return units;
}

} // namespace forerun::slicer
