// SPDX-License-Identifier: Apache-2.0
#include "base/StatusBytes.h"
#include "calls/MpiFilePrefetch.h"
#include "forerun/prefetch.h"
#include "forerun/runtime.h"
#include "thread/PreThread.h"

#include <initializer_list>
#include <sys/stat.h>

/// \file
/// What replaces each call of MPI-IO on the pre-execution thread of a sliced program. On other
/// threads these change nothing.

using forerun::Brought;
using forerun::PreThread;

namespace {

/// MPI would end the program if it were given something that is not a datatype. For named ones it
/// is not asked.
void require(PreThread &self, std::initializer_list<MPI_Datatype> types) {
  for (const MPI_Datatype type : types) {
    if (!self.knows(type))
      self.end("it reached a datatype that the main thread has not handed over");
    if (!self.mayAsk(type))
      self.end("it reached a derived datatype, and MPI does not give MPI_THREAD_MULTIPLE");
  }
}

/// For a count that `comeTo` has accepted.
int asInt(MPI_Count count) { return static_cast<int>(count); }

/// The thread \p self, which has come to \p site and knows the datatypes. Null elsewhere.
PreThread *comeTo(PreThread *self, int site, std::initializer_list<MPI_Datatype> types,
                  MPI_Count count = 0) {
  if (self == nullptr)
    return nullptr;
  require(*self, types);
  if (count != asInt(count))
    self->end("it reached a call with more elements than an int can count");
  forerun_pre_at(site);
  return self;
}

/// Without the bytes, the thread cannot know what comes next.
void deliver(PreThread &self, const Brought &brought, MPI_Status *status) {
  if (brought.failed)
    self.end("a read whose bytes it needs has failed");
  if (status != MPI_STATUS_IGNORE)
    forerun::setStatusBytes(*self.own(status), brought.bytes);
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
  if (PreThread *self = PreThread::self())
    *self->own(fh) = forerun_pre_open(site);
  return *fh == MPI_FILE_NULL ? MPI_ERR_FILE : MPI_SUCCESS;
}

int forerun_pre_read_at(int site, MPI_File fh, MPI_Offset offset, MPI_Count count,
                        MPI_Datatype type) {
  return comeTo(PreThread::predicting(), site, {type}, count) != nullptr
             ? MPI_File_prefetch_at(fh, offset, asInt(count), type)
             : MPI_SUCCESS;
}

int forerun_pre_read(int site, MPI_File fh, MPI_Count count, MPI_Datatype type) {
  return comeTo(PreThread::predicting(), site, {type}, count) != nullptr
             ? MPI_File_prefetch(fh, asInt(count), type)
             : MPI_SUCCESS;
}

int forerun_pre_read_ordered(int site, MPI_File fh, MPI_Count count, MPI_Datatype type) {
  return comeTo(PreThread::predicting(), site, {type}, count) != nullptr
             ? MPI_File_prefetch_ordered(fh, asInt(count), type)
             : MPI_SUCCESS;
}

int forerun_pre_fetch_at(int site, MPI_File fh, MPI_Offset offset, void *buffer, MPI_Count count,
                         MPI_Datatype type, MPI_Status *status) {
  if (PreThread *self = comeTo(PreThread::predicting(), site, {type}, count))
    deliver(*self, forerun::bringAt(fh, offset, buffer, asInt(count), type), status);
  return MPI_SUCCESS;
}

int forerun_pre_fetch(int site, MPI_File fh, void *buffer, MPI_Count count, MPI_Datatype type,
                      MPI_Status *status) {
  if (PreThread *self = comeTo(PreThread::predicting(), site, {type}, count))
    deliver(*self, forerun::bring(fh, buffer, asInt(count), type), status);
  return MPI_SUCCESS;
}

int forerun_pre_fetch_ordered(int site, MPI_File fh, void *buffer, MPI_Count count,
                              MPI_Datatype type, MPI_Status *status) {
  if (PreThread *self = comeTo(PreThread::predicting(), site, {type}, count))
    deliver(*self, forerun::bringOrdered(fh, buffer, asInt(count), type), status);
  return MPI_SUCCESS;
}

int forerun_pre_count_at(int site, MPI_File fh, MPI_Offset offset, void *buffer, MPI_Count count,
                         MPI_Datatype type, MPI_Status *status) {
  if (PreThread *self = comeTo(PreThread::self(), site, {type}, count)) {
    const Brought counted = forerun::countAt(fh, offset, asInt(count), type);
    deliver(*self,
            counted.failed ? forerun::bringAt(fh, offset, buffer, asInt(count), type) : counted,
            status);
  }
  return MPI_SUCCESS;
}

int forerun_pre_count(int site, MPI_File fh, void *buffer, MPI_Count count, MPI_Datatype type,
                      MPI_Status *status) {
  if (PreThread *self = comeTo(PreThread::self(), site, {type}, count)) {
    const Brought counted = forerun::count(fh, asInt(count), type);
    deliver(*self, counted.failed ? forerun::bring(fh, buffer, asInt(count), type) : counted,
            status);
  }
  return MPI_SUCCESS;
}

int forerun_pre_write_at(int site, MPI_File fh, MPI_Offset offset, MPI_Count count,
                         MPI_Datatype type) {
  return comeTo(PreThread::predicting(), site, {type}, count) != nullptr
             ? MPI_File_prefetch_write_at(fh, offset, asInt(count), type)
             : MPI_SUCCESS;
}

int forerun_pre_write(int site, MPI_File fh, MPI_Count count, MPI_Datatype type) {
  return comeTo(PreThread::predicting(), site, {type}, count) != nullptr
             ? MPI_File_prefetch_write(fh, asInt(count), type)
             : MPI_SUCCESS;
}

int forerun_pre_wrote(int rc, MPI_Count count, MPI_Datatype type, MPI_Status *status) {
  PreThread *self = PreThread::predicting();
  if (self == nullptr || status == MPI_STATUS_IGNORE)
    return rc;
  MPI_Count bytes = MPI_UNDEFINED;
  if (forerun_pre_MPI_Type_size_x(type, &bytes) == MPI_SUCCESS)
    forerun::setStatusBytes(*self->own(status), static_cast<std::uint64_t>(bytes * count));
  return rc;
}

int forerun_pre_seek(int site, MPI_File fh, MPI_Offset offset, int whence) {
  // A seek relative to the end waits.
  PreThread *self =
      comeTo(whence == MPI_SEEK_END ? PreThread::self() : PreThread::predicting(), site, {});
  if (self == nullptr)
    return MPI_SUCCESS;
  // Only then is the end where the main thread found it.
  if (whence == MPI_SEEK_END && !isReadOnly(*self, fh))
    self->waitUntilPassed(self->current());
  return MPI_File_prefetch_seek(fh, offset, whence);
}

int forerun_pre_seek_end(int site, MPI_File fh, MPI_Offset offset, int whence) {
  PreThread *const self = comeTo(PreThread::predicting(), site, {});
  if (self == nullptr)
    return MPI_SUCCESS;
  const forerun::PreFile *const file = self->files().find(fh);
  struct stat status{};
  const bool knowsEnd =
      file != nullptr && file->opened.readOnly && file->opened.lookUp(status); // else it may change
  if (whence != MPI_SEEK_END || knowsEnd) {
    self->skip(site, 1);
    return MPI_File_prefetch_seek(fh, offset, whence);
  }
  MPI_Offset position = 0;
  forerun_pre_receive(site, &position, sizeof position);
  return MPI_File_prefetch_seek(fh, position, MPI_SEEK_SET);
}

int forerun_pre_set_view(int site, MPI_File fh, MPI_Offset disp, MPI_Datatype etype,
                         MPI_Datatype filetype, const char *datarep) {
  return comeTo(PreThread::self(), site, {etype, filetype}) != nullptr
             ? MPI_File_prefetch_set_view(fh, disp, etype, filetype, datarep, MPI_INFO_NULL)
             : MPI_SUCCESS;
}

int forerun_pre_sync_file(int site) {
  forerun_pre_sync(site);
  return MPI_SUCCESS;
}

int forerun_pre_close_file(int site, MPI_File *fh) {
  forerun_pre_sync(site);
  if (PreThread *self = PreThread::self())
    *self->own(fh) = MPI_FILE_NULL;
  return MPI_SUCCESS;
}
}
