// SPDX-License-Identifier: Apache-2.0
#include "thread/RandomStreams.h"

#include <cstring>

namespace forerun {
namespace {

/// The state's first word names the generator: its type is the word modulo 5.
constexpr std::int32_t kTypes = 5;
constexpr std::array<std::size_t, kTypes> kStateBytes{8, 32, 64, 128, 256};

using Words48 = std::array<unsigned short, 3>;

std::uint64_t valueOf(const Words48 &words) {
  return words[0] | std::uint64_t{words[1]} << 16 | std::uint64_t{words[2]} << 32;
}

void lookAtRandom(RandomStreams::State &state) {
  alignas(std::int32_t) std::array<char, kStateBytes[1]> aside{};
  char *mains = initstate(1, aside.data(), aside.size());
  std::int32_t first = 0;
  std::memcpy(&first, mains, sizeof first);
  const std::size_t bytes = kStateBytes[static_cast<std::size_t>(first % kTypes)];
  std::memcpy(state.random.data(), mains, bytes);
  setstate(mains);
}

void lookAt48(RandomStreams::State &state) {
  // One step of x -> a * x + c from 0 and from 1, in place, with the program's a and c.
  Words48 zero{0, 0, 0};
  Words48 one{1, 0, 0};
  jrand48(zero.data());
  jrand48(one.data());
  const std::uint64_t a = valueOf(one) - valueOf(zero);

  Words48 unused{};
  Words48 x;
  std::memcpy(x.data(), ::seed48(unused.data()), sizeof x);
  state.parameters48 = {x[0],
                        x[1],
                        x[2],
                        static_cast<unsigned short>(a),
                        static_cast<unsigned short>(a >> 16),
                        static_cast<unsigned short>(a >> 32),
                        zero[0]};
  lcong48(state.parameters48.data());
}

} // namespace

RandomStreams::State RandomStreams::ofProgram() {
  State state;
  lookAtRandom(state);
  lookAt48(state);
  return state;
}

void RandomStreams::take(const State &state) {
  // setstate_r requires a generator that is already set up, and stores what was in use before.
  alignas(std::int32_t) std::array<char, kStateBytes[0]> first8{};
  random_ = {};
  initstate_r(1, first8.data(), first8.size(), &random_);
  state_ = state.random;
  setstate_r(state_.data(), &random_);
  std::array<unsigned short, 7> parameters = state.parameters48; // lcong48_r takes no constant ones
  lcong48_r(parameters.data(), &data48_);
}

void RandomStreams::seedRandom(unsigned seed) { srandom_r(seed, &random_); }

long RandomStreams::random() {
  std::int32_t number = 0;
  random_r(&random_, &number);
  return number;
}

void RandomStreams::seed48(long seed) { srand48_r(seed, &data48_); }

double RandomStreams::drand48() {
  double number = 0;
  drand48_r(&data48_, &number);
  return number;
}

long RandomStreams::lrand48() {
  long number = 0;
  lrand48_r(&data48_, &number);
  return number;
}

long RandomStreams::mrand48() {
  long number = 0;
  mrand48_r(&data48_, &number);
  return number;
}

double RandomStreams::erand48(unsigned short *state) {
  double number = 0;
  erand48_r(state, &data48_, &number);
  return number;
}

long RandomStreams::nrand48(unsigned short *state) {
  long number = 0;
  nrand48_r(state, &data48_, &number);
  return number;
}

long RandomStreams::jrand48(unsigned short *state) {
  long number = 0;
  jrand48_r(state, &data48_, &number);
  return number;
}

} // namespace forerun
