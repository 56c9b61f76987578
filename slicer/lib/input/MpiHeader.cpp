// SPDX-License-Identifier: Apache-2.0
#include "input/MpiHeader.h"

#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/StringRef.h>
#include <utility>

namespace forerun::slicer {

namespace {

/// What the macro stands for, without quotes; empty if there is none.
std::string valueOf(llvm::StringRef name, clang::Preprocessor &preprocessor) {
  const clang::MacroInfo *macro = preprocessor.getMacroInfo(preprocessor.getIdentifierInfo(name));
  std::string text;
  if (macro)
    for (const clang::Token &token : macro->tokens())
      text += preprocessor.getSpelling(token);
  return llvm::StringRef(text).trim('"').str();
}

/// As forerun_cc/interface.py names it.
std::string mpiOf(clang::Preprocessor &preprocessor) {
  const auto value = [&](llvm::StringRef name) { return valueOf(name, preprocessor); };
  if (!value("OPEN_MPI").empty())
    return "Open MPI " + value("OMPI_MAJOR_VERSION") + "." + value("OMPI_MINOR_VERSION") + "." +
           value("OMPI_RELEASE_VERSION");
  for (const auto &[macro, name] :
       {std::pair{"I_MPI_VERSION", "Intel MPI "}, std::pair{"MVAPICH2_VERSION", "MVAPICH "},
        std::pair{"MVAPICH_VERSION", "MVAPICH "}, std::pair{"MPICH_VERSION", "MPICH "}})
    if (const std::string version = value(macro); !version.empty())
      return name + version;
  if (const std::string version = value("MPI_ABI_VERSION"); !version.empty())
    return "MPI by its standard interface, version " + version;
  return "";
}

} // namespace

std::string mpiOf(const Units &units) {
  for (const Unit &unit : units)
    if (std::string name = mpiOf(unit.ast->getPreprocessor()); !name.empty())
      return name;
  return "";
}

} // namespace forerun::slicer
