// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>

/// \file
/// Private streams of rand, random and the drand48 family: libc's own generators (their _r forms)
/// on state of our own, so that the numbers are those that the main thread gets, and its streams
/// do not advance.
///
/// The streams begin where the main thread's are when this object is made, and continue wherever the
/// main thread's have been since, if they are told (`take`): libraries may seed or draw. libc reveals its hidden
/// state only by exchange: random's by initstate and setstate, drand48's by seed48 and
/// lcong48; the multiplier and addend in use are found by drawing from a state of our own. For
/// these few instructions the program's streams are changed, so other threads must not draw from
/// them then; libc leaves that undefined anyway for programs that care about the sequence.

namespace forerun {

class RandomStreams {
public:
  /// Where the streams are, with the parameters of the generators.
  struct State {
    static constexpr std::size_t kMaxBytes = 256;
    alignas(std::int32_t) std::array<char, kMaxBytes> random{}; ///< as initstate keeps it
    std::array<unsigned short, 7> parameters48{};               ///< as lcong48 takes them
  };
  /// The program's. Changes nothing of them.
  static State ofProgram();

  RandomStreams() { take(ofProgram()); }
  RandomStreams(const RandomStreams &) = delete; // the generator points into the object
  RandomStreams &operator=(const RandomStreams &) = delete;

  void take(const State &state);
  void seedRandom(unsigned seed);
  long random(); ///< also rand's numbers: glibc draws both from one stream
  void seed48(long seed);
  double drand48();
  long lrand48();
  long mrand48();
  /// From the caller's state, with the stream's parameters.
  double erand48(unsigned short *state);
  long nrand48(unsigned short *state);
  long jrand48(unsigned short *state);

private:
  random_data random_{};
  alignas(std::int32_t) std::array<char, State::kMaxBytes> state_{};
  drand48_data data48_{};
};

} // namespace forerun
