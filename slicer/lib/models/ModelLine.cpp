// SPDX-License-Identifier: Apache-2.0
#include "models/ModelLine.h"

#include "models/Braces.h"

#include <algorithm>
#include <array>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <sstream>
#include <utility>

namespace forerun::slicer {

namespace {

std::vector<std::string> split(llvm::StringRef text, char separator) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, separator);
  return {parts.begin(), parts.end()};
}

template <class Value, std::size_t N>
std::optional<Value> lookUp(const std::array<std::pair<std::string_view, Value>, N> &table,
                            std::string_view key) {
  const auto *found = std::ranges::find(table, key, &std::pair<std::string_view, Value>::first);
  return found != table.end() ? std::optional(found->second) : std::nullopt;
}

using Kind = FunctionModel::Kind;
using Form = FunctionModel::Form;

constexpr std::array<std::pair<std::string_view, Kind>, 7> kKinds = {{
    {"pure", Kind::Pure},
    {"standin", Kind::StandIn},
    {"twin", Kind::Twin},
    {"forward", Kind::Forward},
    {"visible", Kind::Visible},
    {"noreturn", Kind::NoReturn},
    {"io", Kind::Io},
}};

constexpr std::array<std::pair<std::string_view, Form>, 11> kForms = {{
    {"open", Form::Open},
    {"readAt", Form::ReadAt},
    {"read", Form::Read},
    {"readShared", Form::ReadShared},
    {"writeAt", Form::WriteAt},
    {"write", Form::Write},
    {"writeShared", Form::WriteShared},
    {"seek", Form::Seek},
    {"seekShared", Form::SeekShared},
    {"view", Form::View},
    {"sync", Form::Sync},
}};

constexpr std::array<std::pair<std::string_view, FunctionModel::Exchange>, 5> kExchanges = {{
    {"collective", FunctionModel::Exchange::Collective},
    {"send", FunctionModel::Exchange::Send},
    {"receive", FunctionModel::Exchange::Receive},
    {"both", FunctionModel::Exchange::Both},
    {"local", FunctionModel::Exchange::Local},
}};

/// What is wrong with the line; thrown inside this file only.
struct Wrong {
  std::string what;
};

/// The parts of an attribute's value: as many as \p form has, separated by colons.
std::vector<std::string> parts(std::string_view attribute, const std::string &value,
                               std::string_view form) {
  std::vector<std::string> result = split(value, ':');
  if (result.size() != split(form, ':').size())
    throw Wrong{"'" + std::string(attribute) + "' is " + std::string(form)};
  return result;
}

/// Fills one model from the words after the names.
class Reader {
public:
  explicit Reader(FunctionModel &model) : model_(model) {}

  void kind(std::string_view word);
  void parameters(std::string_view word);
  void attribute(const std::string &word);

private:
  using Setter = void (Reader::*)(const std::string &value);
  static const std::array<std::pair<std::string_view, Setter>, 25> kAttributes;

  void parameter(const std::string &word);
  int index(std::string_view name) const;
  PointerPlace place(std::string_view word) const;
  FunctionModel::Move move(const std::string &value) const;

  void returns(const std::string &value) { model_.returns = index(value); }
  void within(const std::string &value) {
    for (const std::string &each : split(value, ','))
      model_.within.push_back(place(each));
  }
  void alloc(const std::string &value) {
    model_.allocates.push_back(value.empty() ? kResult : written(value));
  }
  void stores(const std::string &value) { model_.stores.push_back(move(value)); }
  void copies(const std::string &value) { model_.copies.push_back(move(value)); }
  void state(const std::string &value) { model_.state = value; }
  void seed(const std::string &value) {
    model_.state = value;
    model_.seeds = true;
  }
  void keeps(const std::string &value);
  void globals(const std::string &value) { model_.globals = split(value, ','); }
  void typed(const std::string &value);
  void spread(const std::string &value);
  void root(const std::string &value);
  void inPlace(const std::string &value);
  void length(const std::string &value);
  void text(const std::string &value) { model_.texts.push_back(written(value)); }
  void datatype(const std::string &value) { model_.datatypes.push_back(written(value)); }
  void communicator(const std::string &value) { model_.communicators.push_back(written(value)); }
  void exchange(const std::string &value);
  void callback(const std::string &value);
  void completes(const std::string &value) { model_.completes = index(value); }
  void form(const std::string &value);
  void asks(const std::string &value) {
    model_.state = value;
    model_.asks = true;
  }
  void announces(const std::string &value) { model_.announces = written(value); }
  void skips(const std::string &value) { model_.skipped.push_back(index(value)); }
  void disturbs(const std::string &value);
  int written(std::string_view name) const;

  FunctionModel &model_;
};

const std::array<std::pair<std::string_view, Reader::Setter>, 25> Reader::kAttributes = {{
    {"returns", &Reader::returns},     {"within", &Reader::within},
    {"alloc", &Reader::alloc},         {"stores", &Reader::stores},
    {"copies", &Reader::copies},       {"state", &Reader::state},
    {"seed", &Reader::seed},           {"keeps", &Reader::keeps},
    {"globals", &Reader::globals},     {"typed", &Reader::typed},
    {"spread", &Reader::spread},       {"root", &Reader::root},
    {"length", &Reader::length},       {"text", &Reader::text},
    {"datatype", &Reader::datatype},   {"callback", &Reader::callback},
    {"completes", &Reader::completes}, {"form", &Reader::form},
    {"exchange", &Reader::exchange},   {"communicator", &Reader::communicator},
    {"inplace", &Reader::inPlace},     {"asks", &Reader::asks},
    {"disturbs", &Reader::disturbs},   {"announces", &Reader::announces},
    {"skips", &Reader::skips},
}};

/// Attributes without a value.
constexpr std::array<std::pair<std::string_view, bool FunctionModel::*>, 5> kFlags = {{
    {"static", &FunctionModel::isStatic},
    {"nonblocking", &FunctionModel::nonblocking},
    {"awaits", &FunctionModel::awaits},
    {"dirties", &FunctionModel::dirties},
    {"clock", &FunctionModel::isClock},
}};

void Reader::kind(std::string_view word) {
  const std::optional<Kind> kind = lookUp(kKinds, word);
  if (!kind)
    throw Wrong{"unknown kind '" + std::string(word) +
                "': use pure, standin, twin, forward, visible, noreturn, io or like"};
  model_.kind = *kind;
}

void Reader::parameters(std::string_view word) {
  if (word == "-")
    return;
  for (const std::string &each : split(word, ',')) {
    if (model_.variadic)
      throw Wrong{"'...' must be the last parameter"};
    parameter(each);
  }
}

void Reader::parameter(const std::string &word) {
  const std::size_t colon = word.find(':');
  ParameterModel parameter;
  parameter.name = colon == std::string::npos ? word : word.substr(colon + 1);
  if (parameter.name.starts_with('*')) {
    parameter.deep = true;
    parameter.name.erase(0, 1);
  }
  if (parameter.name.empty())
    throw Wrong{"a parameter has no name"};
  const std::string effect = colon == std::string::npos ? "" : word.substr(0, colon);
  if (effect == "f")
    parameter.callback = true;
  else if (effect != "" && effect != "r" && effect != "w" && effect != "rw" && effect != "m" &&
           effect != "rm")
    throw Wrong{"unknown effect '" + effect + "': use r, w, rw, m, rm or f"};
  parameter.reads = effect.starts_with('r');
  parameter.must = effect.ends_with('w');
  parameter.writes = parameter.must || effect.ends_with('m');
  if (parameter.name == "...") {
    model_.variadic = parameter;
    return;
  }
  if (parameter.name == "result" ||
      std::ranges::count(model_.parameters, parameter.name, &ParameterModel::name) != 0)
    throw Wrong{"duplicate parameter '" + parameter.name + "'"};
  model_.parameters.push_back(parameter);
}

void Reader::attribute(const std::string &word) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
  const auto flag = lookUp(kFlags, name);
  const auto setter = lookUp(kAttributes, name);
  if (!flag && !setter)
    throw Wrong{"unknown attribute '" + name + "'"};
  if (flag.has_value() == (equals != std::string::npos) && name != "alloc")
    throw Wrong{"'" + name + (flag ? "' takes no value" : "' needs a value")};
  if (flag)
    model_.**flag = true;
  else
    (this->**setter)(value);
}

int Reader::index(std::string_view name) const {
  const auto found = std::ranges::find(model_.parameters, name, &ParameterModel::name);
  if (found == model_.parameters.end())
    throw Wrong{"there is no parameter '" + std::string(name) + "'"};
  return static_cast<int>(found - model_.parameters.begin());
}

int Reader::written(std::string_view name) const {
  const int i = index(name);
  if (!model_.parameters[i].writes)
    throw Wrong{"'" + std::string(name) + "' is not written"};
  return i;
}

PointerPlace Reader::place(std::string_view word) const {
  PointerPlace place;
  if (std::ranges::count(model_.globals, word) != 0) {
    place.global = word;
    return place;
  }
  place.pointee = word.starts_with('*');
  const std::string_view name = word.substr(place.pointee ? 1 : 0);
  place.parameter = name == "result" ? kResult : index(name);
  return place;
}

FunctionModel::Move Reader::move(const std::string &value) const {
  const std::size_t arrow = value.find("<-");
  if (arrow == std::string::npos)
    throw Wrong{"'" + value + "' is not of the form TO<-FROM"};
  return {.to = place(value.substr(0, arrow)), .from = place(value.substr(arrow + 2))};
}

/// What the main thread can hand over.
constexpr std::array<std::string_view, 2> kGenerators{"random", "rand48"};

void Reader::disturbs(const std::string &value) {
  model_.disturbed = split(value, ',');
  for (const std::string &each : model_.disturbed)
    if (std::ranges::find(kGenerators, each) == kGenerators.end())
      throw Wrong{"'disturbs' is for the states 'random' and 'rand48', not '" + each + "'"};
}

void Reader::keeps(const std::string &value) {
  if (model_.state.empty() && model_.isMadeAhead())
    throw Wrong{"'keeps' needs a 'state' before it"};
  model_.keeps = index(value);
}

void Reader::typed(const std::string &value) {
  const std::vector<std::string> words = split(value, ':');
  if (words.size() != 3 && words.size() != 4)
    throw Wrong{"'typed' is BUFFER:COUNT:DATATYPE or BUFFER:COUNT:DATATYPE:COMMUNICATOR"};
  FunctionModel::Typed typed = {
      .buffer = index(words[0]), .count = index(words[1]), .datatype = index(words[2])};
  if (words.size() == 4)
    typed.communicator = index(words[3]);
  model_.typed.push_back(typed);
}

void Reader::spread(const std::string &value) {
  const auto words = parts("spread", value, "BUFFER:COUNTS:DISPLACEMENTS:DATATYPE:COMMUNICATOR");
  model_.spreads.push_back({.buffer = index(words[0]),
                            .counts = index(words[1]),
                            .displacements = index(words[2]),
                            .datatype = index(words[3]),
                            .communicator = index(words[4])});
}

void Reader::root(const std::string &value) {
  const auto words = parts("root", value, "BUFFER:ROOT:COMMUNICATOR");
  model_.atRoots.push_back(
      {.buffer = index(words[0]), .root = index(words[1]), .communicator = index(words[2])});
}

void Reader::inPlace(const std::string &value) {
  const auto words = parts("inplace", value, "FROM:INTO");
  model_.inPlace = {.from = index(words[0]), .into = index(words[1])};
}

void Reader::length(const std::string &value) {
  const std::vector<std::string> words = split(value, ':');
  const bool isResult = words.size() == 3 && words[2] == "result";
  if (words.size() != 2 && !isResult)
    throw Wrong{"'length' is ARRAY:COUNT or ARRAY:COUNT:result"};
  model_.lengths.push_back(
      {.array = index(words[0]), .count = index(words[1]), .isResult = isResult});
}

void Reader::callback(const std::string &value) {
  const std::size_t open = value.find('(');
  if (open == std::string::npos || !value.ends_with(')'))
    throw Wrong{"'callback' is PARAMETER(ARGUMENT,...)"};
  FunctionModel::Callback callback = {.function = index(value.substr(0, open)), .arguments = {}};
  if (!model_.parameters[callback.function].callback)
    throw Wrong{"'" + value.substr(0, open) + "' is not marked as f:"};
  const std::string arguments = value.substr(open + 1, value.size() - open - 2);
  if (!arguments.empty())
    for (const std::string &each : split(arguments, ','))
      callback.arguments.push_back(each == "?" ? std::nullopt : std::optional(index(each)));
  model_.callbacks.push_back(callback);
}

void Reader::form(const std::string &value) {
  const std::optional<Form> form = lookUp(kForms, value);
  if (!form)
    throw Wrong{"unknown form of MPI-IO call '" + value + "'"};
  model_.form = *form;
}

void Reader::exchange(const std::string &value) {
  const std::vector<std::string> words = split(value, ':');
  const std::optional<FunctionModel::Exchange> exchange = lookUp(kExchanges, words[0]);
  if (!exchange || words.size() > 2)
    throw Wrong{"'exchange' is collective, send, receive, both or local, perhaps with :FUNCTION"};
  model_.exchange = *exchange;
  model_.exchangedBy = words.size() == 2 ? words[1] : "";
}

void readWords(const std::vector<std::string> &words, ModelLine &line) {
  if (words.size() < 2)
    throw Wrong{"the kind is missing"};
  line.names = expandBraces(words[0]);
  if (line.names.empty())
    throw Wrong{"unbalanced or nested braces in '" + words[0] + "'"};
  if (words[1] == "like") {
    if (words.size() != 3)
      throw Wrong{"'like' is followed by one name"};
    line.like = words[2];
    return;
  }
  if (words[1] == "variable") {
    if (words.size() != 3)
      throw Wrong{"'variable' is followed by the name of a library"};
    line.variableOf = words[2];
    return;
  }
  Reader reader(line.model);
  reader.kind(words[1]);
  if (words.size() < 3)
    throw Wrong{"the parameters are missing ('-' for none)"};
  reader.parameters(words[2]);
  for (std::size_t i = 3; i < words.size(); ++i)
    reader.attribute(words[i]);
  if ((line.model.kind == Kind::Io) != (line.model.form != Form::None))
    throw Wrong{"kind 'io' and attribute 'form' belong together"};
  if (line.model.kind == Kind::Twin && line.model.state.empty())
    throw Wrong{"kind 'twin' needs a 'state' or 'asks', which names the library"};
  if (!line.model.disturbed.empty() && line.model.form != Form::Open &&
      line.model.kind != Kind::Forward && line.model.kind != Kind::Visible)
    throw Wrong{"'disturbs' is for kinds 'forward' and 'visible', and for form 'open'"};
  if (line.model.kind != Kind::Twin && (line.model.announces || !line.model.skipped.empty() ||
                                        line.model.awaits || line.model.dirties))
    throw Wrong{"'announces', 'skips', 'awaits' and 'dirties' are for kind 'twin'"};
}

} // namespace

ModelLine ModelLine::parse(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  ModelLine line;
  try {
    readWords(words, line);
  } catch (const Wrong &wrong) {
    line.error = wrong.what;
  }
  return line;
}

} // namespace forerun::slicer
