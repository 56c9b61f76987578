// SPDX-License-Identifier: Apache-2.0
#include "measure/ReadCosts.h"

namespace forerun {
namespace {

using OfForm = ReadCosts::OfForm;

/// Whether reads are about as long, on average.
bool areAlike(const OfForm &some, const OfForm &others) {
  constexpr double kAlike = 2;
  const auto one = static_cast<double>(some.servedBytes) * static_cast<double>(others.served);
  const auto other = static_cast<double>(others.servedBytes) * static_cast<double>(some.served);
  return one <= kAlike * other && other <= kAlike * one;
}

} // namespace

void ReadCosts::add(const Read &read) {
  ns += read.ns;
  if (!read.served) {
    othersNs += read.ns;
    return;
  }
  OfForm &of = forms[static_cast<std::size_t>(read.form)];
  ++of.served;
  of.servedBytes += read.bytes;
  of.larger += read.larger ? 1 : 0;
  waitedNs += read.waitedNs;
}

ReadCosts &ReadCosts::operator+=(const ReadCosts &other) {
  for (std::size_t form = 0; form < kReadForms; ++form) {
    const OfForm &its = other.forms[form];
    forms[form].served += its.served;
    forms[form].servedBytes += its.servedBytes;
    forms[form].larger += its.larger;
    forms[form].reads += its.reads;
    forms[form].ns += its.ns;
    forms[form].again += its.again;
  }
  ns += other.ns;
  othersNs += other.othersNs;
  waitedNs += other.waitedNs;
  return *this;
}

std::optional<std::uint64_t> ReadCosts::withoutNs(const ReadCosts &all) const {
  auto sum = static_cast<double>(othersNs + waitedNs);
  for (std::size_t form = 0; form < kReadForms; ++form) {
    const OfForm &own = forms[form];
    if (own.served == 0)
      continue;
    const OfForm &basis = own.reads == 0 && areAlike(own, all.forms[form]) ? all.forms[form] : own;
    if (own.larger != 0 || basis.reads == 0)
      return std::nullopt;
    sum += static_cast<double>(own.served) * basis.ns / static_cast<double>(basis.reads);
  }
  return static_cast<std::uint64_t>(sum);
}

} // namespace forerun
