// SPDX-License-Identifier: Apache-2.0
#include "emit/Headers.h"
#include <clang/Basic/FileManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/Support/Path.h>
#include <vector>

namespace forerun::slicer {

namespace path = llvm::sys::path;

namespace {

/// Escapes the text for a string literal.
std::string inLiteral(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '\\' || c == '"')
      result += '\\';
    result += c;
  }
  return result;
}

/// `#include` and the like, and `#pragma once`, whether or not the preprocessor reached it.
struct Directive {
  enum class Kind { Include, IncludeNext, Once } kind = Kind::Include;
  unsigned begin = 0, end = 0;         ///< from the hash to the end of the last token
  unsigned nameBegin = 0, nameEnd = 0; ///< Include: the name, with its quotes
  llvm::StringRef name;                ///< ... without them; of a macro, its name
  bool isQuoted = false, isAngled = false;
};

/// Reads the tokens of one directive after its hash.
class DirectiveReader {
public:
  DirectiveReader(llvm::StringRef text, std::vector<Directive> &found)
      : text_(text), found_(found) {}

  void begin(unsigned hash) {
    current_ = {};
    current_.begin = hash;
    tokens_ = 0;
    isKnown_ = false;
  }

  void take(const clang::Token &token, unsigned offset) {
    const unsigned end = offset + token.getLength();
    const auto word = text_.slice(offset, end);
    if (tokens_ == 0)
      first_ = word;
    if (tokens_ == 0 && word == "include")
      know(Directive::Kind::Include);
    else if (tokens_ == 0 && word == "include_next")
      know(Directive::Kind::IncludeNext);
    else if (tokens_ == 1 && first_ == "pragma" && word == "once")
      know(Directive::Kind::Once);
    if (tokens_ == 1) {
      current_.nameBegin = offset;
      current_.isQuoted = token.is(clang::tok::string_literal);
      current_.isAngled = token.is(clang::tok::less);
    }
    current_.end = current_.nameEnd = end;
    ++tokens_;
  }

  void end() {
    if (!isKnown_)
      return;
    current_.name = text_.slice(current_.nameBegin, current_.nameEnd).trim("\"<>");
    found_.push_back(current_);
    isKnown_ = false;
  }

private:
  void know(Directive::Kind kind) {
    current_.kind = kind;
    isKnown_ = true;
  }

  llvm::StringRef text_, first_;
  std::vector<Directive> &found_;
  Directive current_;
  bool isKnown_ = false;
  unsigned tokens_ = 0;
};

std::vector<Directive> directivesIn(clang::FileID file, const clang::SourceManager &sources) {
  const auto text = sources.getBufferData(file);
  clang::Lexer lexer(sources.getLocForStartOfFile(file), clang::LangOptions(), text.begin(),
                     text.begin(), text.end());
  std::vector<Directive> found;
  DirectiveReader reader(text, found);
  bool isInside = false;
  clang::Token token;
  for (bool isLast = false; !isLast;) {
    lexer.LexFromRawLexer(token);
    isLast = token.is(clang::tok::eof);
    const unsigned offset = sources.getFileOffset(token.getLocation());
    if (token.isAtStartOfLine() || isLast) {
      reader.end();
      isInside = token.is(clang::tok::hash);
      if (isInside)
        reader.begin(offset);
    } else if (isInside) {
      reader.take(token, offset);
    }
  }
  return found;
}

/// By its directory, or because it says so itself (`#pragma GCC system_header`).
bool isSystemHeader(clang::FileID file, const clang::SourceManager &sources) {
  return sources.isInSystemHeader(sources.getLocForEndOfFile(file));
}

struct Name {
  std::string path;
  bool isBeside = false; ///< found relative to the unit's main file, not in a list of folders
};

/// The name of the file in GCC's `__FILE__`. To Clang, what is beside `a.c` is in the folder `.`.
Name nameOf(clang::FileID file, const clang::SourceManager &sources) {
  const auto entry = sources.getFileEntryRefForID(file);
  Name result{entry ? entry->getName().str() : "", file == sources.getMainFileID()};
  if (result.isBeside || !entry)
    return result;
  const auto [parent, offset] = sources.getDecomposedLoc(sources.getIncludeLoc(file));
  const auto including = sources.getFileEntryRefForID(parent);
  for (const Directive &each : directivesIn(parent, sources))
    if (each.begin <= offset && offset < each.end && each.isAngled)
      return result;
  auto folder = path::parent_path(including ? including->getName() : "");
  if (folder.empty())
    folder = ".";
  llvm::StringRef rest = entry->getName();
  if (!including || !rest.consume_front(folder) || !rest.consume_front("/"))
    return result;
  const Name above = nameOf(parent, sources);
  const auto its = path::parent_path(above.path);
  return {(its.empty() ? "" : its.str() + "/") + rest.str(), above.isBeside};
}

/// `# 7 "name"`, for the line that contains `offset`, with the name and number that the program
/// gave it. A 1 after it says that a file begins there, a 2 that the enclosing one continues.
std::string lineMarker(clang::FileID file, unsigned offset, const clang::SourceManager &sources) {
  const auto presumed = sources.getPresumedLoc(sources.getComposedLoc(file, offset));
  const auto entry = sources.getFileEntryRefForID(file);
  const bool isOwnName = entry && entry->getName() == presumed.getFilename();
  return "# " + std::to_string(presumed.getLine()) + " \"" +
         inLiteral(isOwnName ? nameOf(file, sources).path : presumed.getFilename()) + "\"";
}

/// Assembles the text of a unit.
class Assembly {
public:
  Assembly(const clang::SourceManager &sources, FileEdits &edits)
      : sources_(sources), edits_(edits) {
    // Loaded files (of a precompiled header) have no text here.
    for (unsigned i = 0; i < sources_.local_sloc_entry_size(); i++) {
      const auto &entry = sources_.getLocalSLocEntry(i);
      if (!entry.isFile() || entry.getFile().getIncludeLoc().isInvalid())
        continue;
      const auto file =
          sources_.getFileID(clang::SourceLocation::getFromRawEncoding(entry.getOffset()));
      const auto [parent, offset] = sources_.getDecomposedLoc(entry.getFile().getIncludeLoc());
      included_[parent][offset] = file;
      parents_[file] = parent;
    }
  }

  std::optional<std::string> text() {
    for (const auto &[file, changes] : edits_)
      if (!changes.empty() && !put(file))
        return std::nullopt;
    return textOf(sources_.getMainFileID());
  }

private:
  /// Puts the file in place, and all files that include it or would do so again: `#pragma once`
  /// recognises only files, not text inside another one.
  bool put(clang::FileID file) {
    if (file == sources_.getMainFileID() || !inPlace_.insert(file).second)
      return true;
    if (whyLeftAlone(file, sources_) || !put(parents_.at(file)))
      return false;
    for (const Directive &each : directivesIn(file, sources_))
      if (each.kind == Directive::Kind::Once && !putThoseThatInclude(lastNameOf(file)))
        return false;
    return true;
  }

  bool putThoseThatInclude(llvm::StringRef name) {
    once_.insert(name);
    for (const auto &[file, parent] : parents_) {
      if (isSystemHeader(file, sources_))
        continue;
      for (const Directive &each : directivesIn(file, sources_))
        if (each.kind == Directive::Kind::Include && path::filename(each.name) == name &&
            !put(file))
          return false;
    }
    return true;
  }

  std::optional<std::string> textOf(clang::FileID file) {
    const bool isMain = file == sources_.getMainFileID();
    Edits &edits = edits_[file];
    for (const Directive &each : directivesIn(file, sources_)) {
      if (each.kind == Directive::Kind::Once && !isMain)
        edits.replace(each.begin, each.end, "");
      if (each.kind != Directive::Kind::Include)
        continue;
      const auto child = childAt(file, each);
      if (child.isValid() && inPlace_.count(child) > 0) {
        const auto inner = textOf(child);
        if (!inner)
          return std::nullopt;
        edits.replace(each.begin, each.end,
                      lineMarker(child, 0, sources_) + " 1\n" + *inner + "\n" +
                          lineMarker(file, each.end, sources_) + " 2\n");
      } else if (child.isInvalid() && once_.count(path::filename(each.name)) > 0) {
        edits.replace(each.begin, each.end, ""); // its text is already there
      } else if (const auto beside = besideIt(file, each); !isMain && !beside.empty()) {
        edits.replace(each.nameBegin, each.nameEnd, "\"" + inLiteral(beside) + "\"");
      }
    }
    const auto original = sources_.getBufferData(file);
    return edits.apply({original.data(), original.size()});
  }

  clang::FileID childAt(clang::FileID file, const Directive &directive) const {
    const auto all = included_.find(file);
    if (all == included_.end())
      return {};
    const auto found = all->second.lower_bound(directive.begin);
    return found != all->second.end() && found->first < directive.end ? found->second
                                                                      : clang::FileID();
  }

  /// The path of a file that a header includes from its own directory, relative to that of the main
  /// file if the header was found that way; empty if there is none.
  std::string besideIt(clang::FileID file, const Directive &directive) const {
    const auto entry = sources_.getFileEntryRefForID(file);
    if (!entry || !directive.isQuoted || path::is_absolute(directive.name))
      return "";
    llvm::SmallString<256> result(path::parent_path(entry->getName()));
    path::append(result, directive.name);
    auto &files = sources_.getFileManager();
    if (!files.getOptionalFileRef(result))
      return "";
    const Name header = nameOf(file, sources_), main = nameOf(sources_.getMainFileID(), sources_);
    if (header.isBeside) {
      result = path::parent_path(header.path);
      path::append(result, directive.name);
      llvm::StringRef rest = result;
      if (const auto folder = path::parent_path(main.path); !folder.empty())
        rest = rest.substr(folder.size() + 1);
      return rest.str();
    }
    files.makeAbsolutePath(result);
    return result.str().str();
  }

  llvm::StringRef lastNameOf(clang::FileID file) const {
    const auto entry = sources_.getFileEntryRefForID(file);
    return entry ? path::filename(entry->getName()) : "";
  }

  const clang::SourceManager &sources_;
  FileEdits &edits_;
  std::map<clang::FileID, std::map<unsigned, clang::FileID>> included_; ///< by file and offset
  std::map<clang::FileID, clang::FileID> parents_;
  std::set<clang::FileID> inPlace_; ///< headers whose text replaces their #include
  std::set<llvm::StringRef> once_;  ///< names of those among them that have `#pragma once`
};

} // namespace

const char *whyLeftAlone(clang::FileID file, const clang::SourceManager &sources) {
  while (file != sources.getMainFileID()) {
    if (!sources.getFileEntryRefForID(file))
      return "the call is in a macro of the command line";
    if (isSystemHeader(file, sources))
      return "the call is in a system header, which is not changed";
    for (const Directive &each : directivesIn(file, sources))
      if (each.kind == Directive::Kind::IncludeNext)
        return "the call is in a header with #include_next, which is not changed";
    if (sources.getBufferData(file).contains("__has_include")) // depends on the file's folder
      return "the call is in a header with __has_include, which is not changed";
    const auto from = sources.getIncludeLoc(file);
    if (from.isInvalid() || sources.isWrittenInBuiltinFile(from) ||
        sources.isWrittenInCommandLineFile(from))
      return "the call is in a header that the command line names, which is not changed";
    file = sources.getFileID(from);
  }
  return nullptr;
}

std::string lineDirective(clang::FileID file, unsigned offset,
                          const clang::SourceManager &sources) {
  return lineMarker(file, offset, sources).replace(0, 1, "#line") + "\n";
}

std::optional<std::string> editedText(const EmitScope &scope, FileEdits edits) {
  return Assembly(scope.sources, edits).text();
}

} // namespace forerun::slicer
