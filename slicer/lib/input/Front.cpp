// SPDX-License-Identifier: Apache-2.0
#include "input/Front.h"

#include "ClangResources.h"
#include "input/CompileErrors.h"
#include "input/Prelude.h"
#include <clang/Basic/FileManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Serialization/PCHContainerOperations.h>
#include <clang/Tooling/ArgumentsAdjusters.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/StringSaver.h>
#include <llvm/Support/WithColor.h>
#include <map>
#include <set>
#include <tuple>

namespace forerun::slicer {

namespace tooling = clang::tooling;

namespace {

/// Parses, and collects our pragmas and all tokens on the way.
class ListeningAction : public clang::SyntaxOnlyAction {
public:
  ListeningAction(std::vector<Pragma> &pragmas, Expanded &expanded)
      : pragmas_(pragmas), expanded_(expanded) {}

protected:
  // NOLINTNEXTLINE(readability-identifier-naming): Clang's name
  bool BeginSourceFileAction(clang::CompilerInstance &compiler) override {
    compiler.getPreprocessor().AddPragmaHandler(pragmaReader(pragmas_).release());
    compiler.getPreprocessor().setTokenWatcher(
        [this](const clang::Token &token) { expanded_.add(token); });
    return true;
  }

  // NOLINTNEXTLINE(readability-identifier-naming): Clang's name
  void EndSourceFileAction() override {
    getCompilerInstance().getPreprocessor().setTokenWatcher(nullptr); // the unit lives longer
  }

private:
  std::vector<Pragma> &pragmas_;
  Expanded &expanded_;
};

/// Makes an ASTUnit from the one invocation that it is given.
class ParseAction : public tooling::ToolAction {
public:
  bool hasUnit() const { return hasUnit_; }
  std::unique_ptr<clang::ASTUnit> take() { return std::move(ast_); }
  std::vector<Pragma> &pragmas() { return pragmas_; }
  Expanded &expanded() { return expanded_; }
  /// Valid until the unit is taken and destroyed.
  const std::vector<CompileErrors::Error> &errors() const { return errors_->all(); }
  bool haveOurErrors() const { return errors_->haveOurs(); }

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> invocation,
                     clang::FileManager *files,
                     std::shared_ptr<clang::PCHContainerOperations> containers,
                     clang::DiagnosticConsumer * /*consumer*/) override {
    const auto &input = invocation->getFrontendOpts().Inputs.front();
    if (input.getKind().getLanguage() != clang::Language::C) {
      llvm::WithColor::error() << input.getFile() << ": not a C source file\n";
      return false;
    }
    auto &preprocessing = invocation->getPreprocessorOpts();
    preprocessing.addRemappedFile(kPreludePath,
                                  llvm::MemoryBuffer::getMemBuffer(kPrelude).release());
    preprocessing.Includes.insert(preprocessing.Includes.begin(), kPreludePath);
    // The unit owns its diagnostics engine, and with it the errors.
    errors_ = new CompileErrors(invocation->getDiagnosticOpts());
    auto diagnostics =
        clang::CompilerInstance::createDiagnostics(&invocation->getDiagnosticOpts(), errors_, true);
    diagnostics->setFatalsAsError(true);
    ast_ = clang::ASTUnit::create(invocation, diagnostics, clang::CaptureDiagsKind::None, false);
    ast_->getFileManager().setVirtualFileSystem(files->getVirtualFileSystemPtr());
    ListeningAction action(pragmas_, expanded_);
    hasUnit_ = clang::ASTUnit::LoadFromCompilerInvocationAction(
        std::move(invocation), std::move(containers), diagnostics, &action, ast_.get());
    return true;
  }

private:
  std::vector<Pragma> pragmas_;
  Expanded expanded_;
  std::unique_ptr<clang::ASTUnit> ast_;
  CompileErrors *errors_ = nullptr; ///< of `ast_`
  bool hasUnit_ = false;
};

/// What the compiler prints for an option; empty if it does not know the option.
std::optional<std::string> ask(llvm::StringRef compiler, llvm::StringRef option) {
  auto program = llvm::sys::findProgramByName(compiler);
  llvm::SmallString<64> output;
  if (!program)
    return std::nullopt;
  if (llvm::sys::fs::createTemporaryFile("forerun", "asked", output)) { // TMPDIR is not there
    llvm::SmallString<64> model;
    llvm::sys::path::system_temp_directory(false, model);
    llvm::sys::path::append(model, "forerun-%%%%%%.asked");
    if (llvm::sys::fs::createUniqueFile(model, output))
      return std::nullopt;
  }
  int rc =
      llvm::sys::ExecuteAndWait(*program, {*program, option}, std::nullopt, {"", output.str(), ""});
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
  auto shown = ask(compiler, "-show");
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

/// Headers that GCC provides and Clang does not. GCC's other headers are for GCC only.
constexpr const char *kHeadersOfGcc[] = {"omp.h", "quadmath.h", "openacc.h"};

/// The directory of the compiler's own headers; empty if it is unknown.
std::string directoryOfHeaders(llvm::StringRef compiler) {
  const std::string printed = ask(compiler, "-print-file-name=include").value_or("");
  const auto path = llvm::StringRef(printed).trim();
  return llvm::sys::path::is_absolute(path) ? path.str() : "";
}

/// No warning of Clang is an error, whatever the user's compiler is told.
tooling::ArgumentsAdjuster withoutWarnings() {
  return [](const tooling::CommandLineArguments &arguments, llvm::StringRef /*file*/) {
    tooling::CommandLineArguments result;
    for (llvm::StringRef each : arguments)
      if (!each.starts_with("-W") || each.starts_with("-Wp,"))
        result.push_back(each.str());
    return result;
  };
}

/// The standard of most C code: GCC accepts more of it under newer standards than Clang does.
constexpr const char *kMostTolerant = "-std=gnu17";

tooling::CompileCommand without(tooling::CompileCommand command, llvm::StringRef options) {
  llvm::erase_if(command.CommandLine,
                 [&](llvm::StringRef each) { return each.starts_with(options); });
  return command;
}

tooling::CompileCommand withStandard(const tooling::CompileCommand &command, const char *standard) {
  auto result = without(command, "-std=");
  result.CommandLine.insert(std::next(result.CommandLine.begin()), standard);
  return result;
}

/// The command that only parses, with Clang's own headers and the options `added`, and without the
/// warnings that the user's compiler prints itself.
tooling::CommandLineArguments adjusted(const tooling::CompileCommand &command,
                                       std::vector<std::string> added) {
  auto adjust = tooling::combineAdjusters(tooling::getClangStripOutputAdjuster(),
                                          tooling::getClangStripDependencyFileAdjuster());
  adjust = tooling::combineAdjusters(adjust, tooling::getClangSyntaxOnlyAdjuster());
  adjust = tooling::combineAdjusters(adjust, withoutWarnings());
  auto arguments = adjust(command.CommandLine, command.Filename);
  constexpr const char *kResources = "-resource-dir=" FORERUN_CLANG_RESOURCES;
  added.insert(added.end(), {"-Wno-everything", "-Qunused-arguments", "-Xclang", "-ferror-limit",
                             "-Xclang", "0", kResources});
  arguments.front() = "clang";
  arguments.insert(std::next(arguments.begin()), added.begin(), added.end());
  return arguments;
}

/// Whether it is C, by its name or because the command says so.
bool isC(const tooling::CompileCommand &command) {
  const auto &words = command.CommandLine;
  const auto language = std::find(words.begin(), words.end(), "-x");
  if (language != words.end() && std::next(language) != words.end())
    return *std::next(language) == "c";
  return llvm::sys::path::extension(command.Filename) == ".c";
}
/// The file system without files that cannot be read to their end: opening a FIFO would wait for a
/// writer, and a device may have no end.
class ReadableFiles : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  // NOLINTBEGIN(readability-identifier-naming): LLVM's name
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override {
    const auto status = this->status(path);
    if (status && !status->isRegularFile() && !status->isDirectory() && path.str() != "/dev/null")
      return std::make_error_code(std::errc::not_supported);
    return ProxyFileSystem::openFileForRead(path);
  }
  // NOLINTEND(readability-identifier-naming)
};

/// LLVM's parser calls itself for each level, until there is no stack. A database has three.
bool isNestedDeep(llvm::StringRef json) {
  constexpr int kMaxDepth = 100;
  int depth = 0;
  bool isInString = false;
  for (std::size_t at = 0; at < json.size() && depth <= kMaxDepth; ++at) {
    if (json[at] == '"')
      isInString = !isInString;
    else if (isInString)
      at += json[at] == '\\' ? 1 : 0;
    else if (json[at] == '[' || json[at] == '{')
      ++depth;
    else if (json[at] == ']' || json[at] == '}')
      --depth;
  }
  return depth > kMaxDepth;
}

} // namespace

llvm::Expected<Commands> readDatabase(const std::string &path) {
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return llvm::createFileError(path, text.getError());
  if (isNestedDeep((*text)->getBuffer()))
    return llvm::createStringError(path + ": not a valid compile_commands.json: nested too deep");
  if (auto json = llvm::json::parse((*text)->getBuffer()); !json)
    return llvm::createStringError(path + ": not valid JSON: " + llvm::toString(json.takeError()));
  std::string error;
  auto database = tooling::JSONCompilationDatabase::loadFromBuffer(
      (*text)->getBuffer(), error, tooling::JSONCommandLineSyntax::AutoDetect);
  if (!database)
    return llvm::createStringError(path + ": not a valid compile_commands.json: " + error);
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

namespace {

class Parser {
public:
  Parser(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, Refusal isRefused)
      : isRefused_(std::move(isRefused)),
        files_(new llvm::vfs::OverlayFileSystem(
            llvm::makeIntrusiveRefCnt<ReadableFiles>(std::move(files)))) {
    files_->pushOverlay(headers_);
  }

  /// False if the user has to fix something.
  bool take(const tooling::CompileCommand &command, Units &units) {
    if (auto why = files_->setCurrentWorkingDirectory(command.Directory)) {
      llvm::WithColor::error() << command.Directory << ": " << why.message() << '\n';
      return false;
    }
    auto action = run(command);
    if (action && !action->hasUnit()) // Clang does not know the processor
      action = run(without(command, "-m"));
    if (action && !action->errors().empty())
      if (auto other = run(withStandard(command, kMostTolerant));
          other && other->hasUnit() && other->errors().size() < action->errors().size())
        action = std::move(other);
    if (!action || action->haveOurErrors())
      return false;
    const std::string error =
        action->errors().empty() ? "Clang cannot read it" : action->errors().front().message;
    if ((!action->hasUnit() || !action->errors().empty()) && isRefused_ &&
        isRefused_(command, error))
      return false;
    if (!action->hasUnit()) {
      llvm::WithColor::warning(llvm::errs(), "forerun-slice")
          << command.Filename << " is left out of pre-execution: " << error << '\n';
      return true;
    }
    auto ast = action->take();
    leaveOutFunctionsWith(action->errors(), *ast);
    units.push_back({std::move(ast), command.Filename, std::move(action->pragmas()),
                     std::move(action->expanded())});
    return true;
  }

private:
  /// Null if the input is not to be parsed.
  std::unique_ptr<ParseAction> run(const tooling::CompileCommand &command) {
    llvm::IntrusiveRefCntPtr<clang::FileManager> manager(
        new clang::FileManager(clang::FileSystemOptions(), files_));
    auto action = std::make_unique<ParseAction>();
    tooling::ToolInvocation invocation(adjusted(command, optionsFor(command.CommandLine.front())),
                                       action.get(), manager.get(),
                                       std::make_shared<clang::PCHContainerOperations>());
    return invocation.run() ? std::move(action) : nullptr;
  }

  const std::vector<std::string> &optionsFor(const std::string &compiler) {
    auto [known, isNew] = options_.try_emplace(compiler);
    if (isNew) {
      known->second = wrapperOptions(compiler);
      const std::string directory = copiedHeaders(directoryOfHeaders(compiler));
      known->second.insert(known->second.end(), {"-idirafter", directory});
    }
    return known->second;
  }

  /// A directory of those headers of the compiler that Clang lacks.
  std::string copiedHeaders(const std::string &from) {
    std::string to = "/forerun-headers" + std::to_string(options_.size());
    for (const char *each : kHeadersOfGcc)
      if (auto text = files_->getBufferForFile(from + "/" + each))
        headers_->addFile(to + "/" + each, 0, std::move(*text));
    return to;
  }

  const Refusal isRefused_;
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> headers_{
      new llvm::vfs::InMemoryFileSystem};
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> files_;
  std::map<std::string, std::vector<std::string>> options_; ///< that a compiler adds
};

} // namespace

std::optional<Units> parse(const Commands &commands,
                           llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                           const Refusal &isRefused) {
  Parser parser(files ? std::move(files) : llvm::vfs::createPhysicalFileSystem(), isRefused);
  Units units;
  bool ok = true;
  for (const auto &command : commands)
    ok &= parser.take(command, units);
  if (!ok)
    return std::nullopt;
  return units;
}

} // namespace forerun::slicer
