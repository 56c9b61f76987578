// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

/// \file
/// What the program's reads cost, and what they would have cost without Forerun.
///
/// The second is not derived from how long fetches took: these run side by side and wait for each
/// other in the storage, and what a collective or a strided read costs the program is more than
/// bytes. A read that Forerun had no part in cost what it took. For those that it served, some of
/// the same form are made once more without Forerun (measure/ReadsAgain.h): by them is known what a
/// read would have cost, in addition to the time that it waited for processes that came later, which
/// it would have done in any case. Where too few were made once more, nothing is known.
///
/// Plain values, no threads.

namespace forerun {

enum class ReadForm : std::uint8_t { Contiguous, Strided, Collective };
constexpr std::size_t kReadForms = 3;

struct ReadCosts {
  struct OfForm {
    std::uint64_t served = 0, servedBytes = 0; ///< reads that Forerun had a part in
    std::uint64_t larger = 0;                  ///< of these, such as are never made once more
    std::uint64_t reads = 0;                   ///< of which is known what they would have cost ...
    double ns = 0;                             ///< ... namely this ...
    std::uint64_t again = 0;                   ///< ... from so many that were made once more
  };
  std::array<OfForm, kReadForms> forms{};
  std::uint64_t ns = 0;       ///< all of them took
  std::uint64_t othersNs = 0; ///< of that, those that Forerun had no part in
  std::uint64_t waitedNs = 0; ///< those that it served waited for other processes

  struct Read {
    ReadForm form;
    bool served;
    bool larger; ///< than those that are made once more
    std::uint64_t bytes, ns, waitedNs;
  };
  void add(const Read &read);
  ReadCosts &operator+=(const ReadCosts &other);

  /// What all of them would have taken without Forerun. Forms of which nothing is known here cost as
  /// much as those in \p all, of which these are a part, if they are about as long. None: there is no
  /// basis.
  std::optional<std::uint64_t> withoutNs(const ReadCosts &all) const;
};

} // namespace forerun
