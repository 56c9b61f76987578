// SPDX-License-Identifier: Apache-2.0
#include "analysis/OrderedReads.h"

#include "analysis/Walks.h"
#include "facts/IoCalls.h"

namespace forerun::slicer {

using Form = FunctionModel::Form;

bool areOrderedReadsAlike(const Program &program) {
  std::optional<std::pair<std::int64_t, std::int64_t>> common; // count and (named) datatype
  for (const Call &call : program.calls) {
    const Form form = call.model ? call.model->form : Form::None;
    if (form == Form::WriteShared || form == Form::SeekShared)
      return false;
    if (form != Form::ReadShared)
      continue;
    const llvm::StringRef name = call.name;
    const IoArguments *at = ioArguments(name);
    if (!at || call.isCallback || !name.contains("_ordered"))
      return false;
    const auto count = constantOf(program, call, at->count);
    const auto type = constantOf(program, call, at->type);
    if (!count || !type || (common && *common != std::pair(*count, *type)))
      return false;
    common.emplace(*count, *type);
  }
  return common.has_value();
}

} // namespace forerun::slicer
