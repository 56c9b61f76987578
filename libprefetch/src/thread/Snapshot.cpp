// SPDX-License-Identifier: Apache-2.0
#include "thread/Snapshot.h"

// Callee-saved registers are pushed onto the stack, which is then copied. The way back runs
// below both stacks, the kept one and the current one, so that it overwrites neither.
asm(R"(
  .text
  .globl forerun_keep_snapshot
  .hidden forerun_keep_snapshot
  .type forerun_keep_snapshot, @function
forerun_keep_snapshot:
  endbr64
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  sub $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  mov %rsp, %rsi
  call forerun_copy_out
.Lforerun_snapshot_end:
  add $8, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
  .size forerun_keep_snapshot, . - forerun_keep_snapshot

  .globl forerun_return_to_snapshot
  .hidden forerun_return_to_snapshot
  .type forerun_return_to_snapshot, @function
forerun_return_to_snapshot:
  endbr64
  mov (%rdi), %rax
  cmp %rax, %rsp
  cmovb %rsp, %rax
  lea -256(%rax), %rsp
  and $-16, %rsp
  mov %rdi, %rbx
  call forerun_copy_back
  mov (%rbx), %rsp
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  mov $1, %eax
  jmp .Lforerun_snapshot_end
  .size forerun_return_to_snapshot, . - forerun_return_to_snapshot
)");

namespace {

using forerun::Snapshot;

/// Also copies what sanitizers have put between variables.
[[gnu::always_inline]] inline void copyBytes(std::byte *to, const std::byte *from,
                                             std::size_t bytes) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

} // namespace

extern "C" {

[[gnu::visibility("hidden"), gnu::no_sanitize("address"), gnu::no_sanitize("thread")]] int
forerun_copy_out(Snapshot *snapshot, std::byte *stackPointer) {
  snapshot->stackPointer = stackPointer;
  std::byte *to = snapshot->copies.data();
  std::size_t room = snapshot->copies.size();
  const auto stackBytes = static_cast<std::size_t>(snapshot->stackEnd - stackPointer);
  if (stackBytes > room)
    return FORERUN_NO_ROOM;
  copyBytes(to, stackPointer, stackBytes);
  to += stackBytes;
  room -= stackBytes;
  for (std::size_t i = 0; i < snapshot->pieces.size(); ++i) {
    const Snapshot::Piece &piece = snapshot->pieces[i];
    if (piece.size() > room)
      return FORERUN_NO_ROOM;
    copyBytes(to, piece.data(), piece.size());
    to += piece.size();
    room -= piece.size();
  }
  return FORERUN_KEPT;
}

[[gnu::visibility("hidden"), gnu::no_sanitize("address"), gnu::no_sanitize("thread")]] void
forerun_copy_back(const Snapshot *snapshot) {
  const std::byte *from = snapshot->copies.data();
  const auto stackBytes = static_cast<std::size_t>(snapshot->stackEnd - snapshot->stackPointer);
  copyBytes(snapshot->stackPointer, from, stackBytes);
  from += stackBytes;
  for (std::size_t i = 0; i < snapshot->pieces.size(); ++i) {
    const Snapshot::Piece &piece = snapshot->pieces[i];
    copyBytes(piece.data(), from, piece.size());
    from += piece.size();
  }
}
}
