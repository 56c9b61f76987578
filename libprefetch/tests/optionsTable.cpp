// SPDX-License-Identifier: Apache-2.0
#include "base/Options.h"

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

/// \file
/// Compares the table of docs/options.md with Options.def, from which it is generated.
///   prefetch_options_table FILE           fails if the file's table is another
///   prefetch_options_table --update FILE  puts the table into the file

namespace {

constexpr const char *kBegin = "<!-- table: made from libprefetch/src/base/Options.def -->\n";
constexpr const char *kEnd = "<!-- end of table -->\n";

} // namespace

int main(int argc, char **argv) {
  const bool update = argc == 3 && std::string(argv[1]) == "--update";
  if (argc != 2 && !update) {
    std::cerr << "usage: " << argv[0] << " [--update] FILE\n";
    return 2;
  }
  const char *path = argv[argc - 1];
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto mark = text.find(kBegin);
  const auto end = text.find(kEnd);
  if (mark == std::string::npos || end == std::string::npos) {
    std::cerr << path << ": error: no table between its two marks\n";
    return 1;
  }
  const auto begin = mark + std::string(kBegin).size();
  const std::string table = forerun::Options::referenceTable();
  if (update) {
    std::ofstream(path) << text.substr(0, begin) << table << text.substr(end);
    return 0;
  }
  if (text.substr(begin, end - begin) == table)
    return 0;
  std::cerr << path
            << ": error: the table is not that of libprefetch/src/base/Options.def; fix it by\n"
            << argv[0] << " --update " << path << "\n";
  return 1;
}
