// SPDX-License-Identifier: Apache-2.0
#include "calls/PreCall.h"
#include "forerun/runtime.h"
#include "mpi/StatusBytes.h"
#include "thread/Entry.h"

#include <initializer_list>
#include <optional>
#include <sys/stat.h>

/// \file
/// What replaces each call of MPI-IO on the pre-execution thread of a sliced program. On other
/// threads these change nothing.

using forerun::Brought;
using forerun::bytesOf;
using forerun::entered;
using forerun::Entry;
using forerun::PreCall;
using forerun::PrefetchCall;
using forerun::PreThread;

namespace {

/// MPI would end the program if it were given something that is not a datatype. For named ones it
/// is not asked.
void require(PreThread &self, std::initializer_list<MPI_Datatype> types) {
  for (const MPI_Datatype type : types) {
    if (!self.knows(type))
      self.end("it reached a datatype that the main thread has not forwarded");
    if (!self.mayAsk(type))
      self.end("it reached a derived datatype, and MPI does not give MPI_THREAD_MULTIPLE");
  }
}

/// The call of \p site, to which the pre-execution thread \p self has come, and whose datatypes it
/// knows. Nothing on another thread.
std::optional<PreCall> comeTo(PreThread *self, int site, std::initializer_list<MPI_Datatype> types,
                              MPI_Count count = 0) {
  if (self == nullptr)
    return std::nullopt;
  require(*self, types);
  if (count != static_cast<int>(count))
    self->end("it reached a call with more elements than an int can count");
  return PreCall::arriveAt(*self, site);
}

/// A call whose data are \p count elements of \p type; \p act is given them as an int.
template <typename Act>
int callAt(PreThread *self, int site, MPI_File fh, MPI_Count count, MPI_Datatype type,
           const Act &act) {
  if (const std::optional<PreCall> call = comeTo(self, site, {type}, count))
    call->onFile(fh, [&](PrefetchCall &file) { act(file, static_cast<int>(count)); });
  return MPI_SUCCESS;
}

/// The same for a read whose bytes the thread needs: without them, it cannot know what comes next.
template <typename Bring>
int bringAt(PreThread *self, int site, MPI_File fh, MPI_Count count, MPI_Datatype type,
            MPI_Status *status, const Bring &bring) {
  Brought brought{0, true};
  callAt(self, site, fh, count, type, [&](PrefetchCall &file, int n) { brought = bring(file, n); });
  if (self == nullptr)
    return MPI_SUCCESS;
  if (brought.failed)
    self->end("a read whose bytes it needs has failed");
  if (status != MPI_STATUS_IGNORE)
    forerun::setStatusBytes(*self->own(status), brought.bytes);
  return MPI_SUCCESS;
}

/// Whether \p fh cannot change in size.
bool isReadOnly(PreThread &self, MPI_File fh) {
  const forerun::PreFile *file = self.files().find(fh);
  return file != nullptr && file->opened.readOnly;
}

} // namespace

// Calls that move the prefetch file pointer are made even if they are late; then all of them rely
// on the prefetch calls to announce nothing.
extern "C" {

int forerun_pre_open_file(int site, MPI_File *fh) {
  if (PreThread *self = entered<Entry::open_file>())
    *self->own(fh) = forerun_pre_open(site);
  return *fh == MPI_FILE_NULL ? MPI_ERR_FILE : MPI_SUCCESS;
}

int forerun_pre_read_at(int site, MPI_File fh, MPI_Offset offset, MPI_Count count,
                        MPI_Datatype type) {
  return callAt(entered<Entry::read_at>(), site, fh, count, type,
                [&](PrefetchCall &file, int n) { file.readAt(offset, bytesOf(n, type)); });
}

int forerun_pre_read(int site, MPI_File fh, MPI_Count count, MPI_Datatype type) {
  return callAt(entered<Entry::read>(), site, fh, count, type,
                [&](PrefetchCall &file, int n) { file.read(bytesOf(n, type)); });
}

int forerun_pre_read_ordered(int site, MPI_File fh, MPI_Count count, MPI_Datatype type) {
  return callAt(entered<Entry::read_ordered>(), site, fh, count, type,
                [&](PrefetchCall &file, int n) { file.readShared(bytesOf(n, type)); });
}

int forerun_pre_fetch_at(int site, MPI_File fh, MPI_Offset offset, void *buffer, MPI_Count count,
                         MPI_Datatype type, MPI_Status *status) {
  return bringAt(entered<Entry::fetch_at>(), site, fh, count, type, status,
                 [&](PrefetchCall &file, int n) { return file.bringAt(offset, buffer, n, type); });
}

int forerun_pre_fetch(int site, MPI_File fh, void *buffer, MPI_Count count, MPI_Datatype type,
                      MPI_Status *status) {
  return bringAt(entered<Entry::fetch>(), site, fh, count, type, status,
                 [&](PrefetchCall &file, int n) { return file.bring(buffer, n, type); });
}

int forerun_pre_fetch_ordered(int site, MPI_File fh, void *buffer, MPI_Count count,
                              MPI_Datatype type, MPI_Status *status) {
  return bringAt(entered<Entry::fetch_ordered>(), site, fh, count, type, status,
                 [&](PrefetchCall &file, int n) { return file.bringShared(buffer, n, type); });
}

int forerun_pre_count_at(int site, MPI_File fh, MPI_Offset offset, void *buffer, MPI_Count count,
                         MPI_Datatype type, MPI_Status *status) {
  return bringAt(entered<Entry::count_at>(), site, fh, count, type, status,
                 [&](PrefetchCall &file, int n) {
                   const Brought counted = file.countAt(offset, bytesOf(n, type));
                   return counted.failed ? file.bringAt(offset, buffer, n, type) : counted;
                 });
}

int forerun_pre_count(int site, MPI_File fh, void *buffer, MPI_Count count, MPI_Datatype type,
                      MPI_Status *status) {
  return bringAt(entered<Entry::count>(), site, fh, count, type, status,
                 [&](PrefetchCall &file, int n) {
                   const Brought counted = file.count(bytesOf(n, type));
                   return counted.failed ? file.bring(buffer, n, type) : counted;
                 });
}

int forerun_pre_write_at(int site, MPI_File fh, MPI_Offset offset, MPI_Count count,
                         MPI_Datatype type) {
  return callAt(entered<Entry::write_at>(), site, fh, count, type,
                [&](PrefetchCall &file, int n) { file.writeAt(offset, bytesOf(n, type)); });
}

int forerun_pre_write(int site, MPI_File fh, MPI_Count count, MPI_Datatype type) {
  return callAt(entered<Entry::write>(), site, fh, count, type,
                [&](PrefetchCall &file, int n) { file.write(bytesOf(n, type)); });
}

int forerun_pre_wrote(int rc, MPI_Count count, MPI_Datatype type, MPI_Status *status) {
  PreThread *self = entered<Entry::wrote>();
  if (self != nullptr && status != MPI_STATUS_IGNORE)
    forerun::setStatusBytes(*self->own(status), bytesOf(static_cast<int>(count), type));
  return rc;
}

int forerun_pre_seek(int site, MPI_File fh, MPI_Offset offset, int whence) {
  PreThread *const self = entered<Entry::seek>();
  // The pre-compiler writes a seek that may be from the end as seek_end, except through a pointer.
  const bool isFromEnd = whence == MPI_SEEK_END;
  const auto call = comeTo(isFromEnd ? PreThread::self() : self, site, {});
  if (!call)
    return MPI_SUCCESS;
  // Only then is the end where the main thread found it.
  if (isFromEnd && !isReadOnly(call->thread, fh))
    call->thread.waitUntilPassed(call->id);
  call->onFile(fh, [&](PrefetchCall &file) { file.seek(offset, whence); });
  return MPI_SUCCESS;
}

int forerun_pre_seek_end(int site, MPI_File fh, MPI_Offset offset, int whence) {
  const auto call = comeTo(entered<Entry::seek_end>(), site, {});
  if (!call)
    return MPI_SUCCESS;
  const forerun::PreFile *const file = call->thread.files().find(fh);
  struct stat status{};
  const bool knowsEnd =
      file != nullptr && file->opened.readOnly && file->opened.lookUp(status); // else it may change
  if (whence != MPI_SEEK_END || knowsEnd) {
    call->thread.skip(site, 1);
  } else {
    forerun_pre_receive(site, &offset, sizeof offset);
    whence = MPI_SEEK_SET;
  }
  call->onFile(fh, [&](PrefetchCall &at) { at.seek(offset, whence); });
  return MPI_SUCCESS;
}

int forerun_pre_set_view(int site, MPI_File fh, MPI_Offset disp, MPI_Datatype etype,
                         MPI_Datatype filetype, const char * /*datarep*/) {
  if (const auto call = comeTo(entered<Entry::set_view>(), site, {etype, filetype}))
    call->onFile(fh, [&](PrefetchCall &file) { file.setView(disp, etype, filetype); });
  return MPI_SUCCESS;
}

int forerun_pre_sync_file(int site) {
  forerun_pre_sync(site);
  return MPI_SUCCESS;
}

int forerun_pre_close_file(int site, MPI_File *fh) {
  forerun_pre_sync(site);
  if (PreThread *self = entered<Entry::close_file>())
    *self->own(fh) = MPI_FILE_NULL;
  return MPI_SUCCESS;
}
}
