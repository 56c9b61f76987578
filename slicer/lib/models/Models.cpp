// SPDX-License-Identifier: Apache-2.0
#include "models/Models.h"

#include "BuiltInModels.h"
#include "models/ModelLine.h"

#include <llvm/Support/MemoryBuffer.h>

namespace forerun::slicer {

const Models &Models::builtIn() {
  static const Models kModels = [] {
    Models models;
    for (const auto &[file, text] : kBuiltInModels)
      models.add(text, file); // has no mistakes: a test checks that
    return models;
  }();
  return kModels;
}

void Models::take(const ModelLine &line) {
  if (!line.variableOf.empty()) {
    for (const std::string &name : line.names)
      twins_.insert_or_assign(name, line.variableOf);
    return;
  }
  for (const std::string &name : line.names) {
    FunctionModel model = line.like.empty() ? line.model : models_.find(line.like)->second;
    model.name = name;
    // A function that is like another has the other's stand-in.
    if (line.like.empty() && model.kind == FunctionModel::Kind::StandIn)
      model.standIn = "forerun_pre_" + name;
    if (line.like.empty() && model.exchange != FunctionModel::Exchange::None)
      model.exchangedBy = "forerun_pre_" + (model.exchangedBy.empty() ? name : model.exchangedBy);
    if (model.kind == FunctionModel::Kind::StandIn || !model.state.empty())
      forwarded_.insert_or_assign(name, model).first->second.kind = FunctionModel::Kind::Forward;
    twins_.erase(name);
    if (model.kind == FunctionModel::Kind::Twin)
      twins_.emplace(name, model.state);
    models_.insert_or_assign(name, std::move(model));
  }
}

std::vector<std::string> Models::add(std::string_view text, std::string_view file) {
  std::vector<std::string> errors;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos)
      continue;
    ModelLine parsed = ModelLine::parse(line);
    if (parsed.error.empty() && !parsed.like.empty() && !models_.contains(parsed.like))
      parsed.error = "there is no model of '" + parsed.like + "' before this line";
    if (parsed.error.empty())
      take(parsed);
    else
      errors.push_back(std::string(file) + ":" + std::to_string(number) + ": " + parsed.error);
  }
  return errors;
}

std::vector<std::string> Models::addFile(const std::filesystem::path &file) {
  const auto text = llvm::MemoryBuffer::getFile(file.string());
  if (!text)
    return {file.string() + ": cannot be read: " + text.getError().message()};
  return add((*text)->getBuffer(), file.string());
}

const FunctionModel *Models::find(std::string_view name) const {
  if (const auto found = models_.find(name); found != models_.end())
    return &found->second;
  constexpr std::string_view kBuiltin = "__builtin_";
  if (name.starts_with(kBuiltin))
    return find(name.substr(kBuiltin.size()));
  if (name.starts_with("PMPI_"))
    return find(name.substr(1));
  return nullptr;
}

} // namespace forerun::slicer
