// SPDX-License-Identifier: Apache-2.0
#include "calls/ProgramHdf5.h"

#include "twin/Hdf5Prefetcher.h"
#include "twin/LoadedLibrary.h"

#include <array>
#include <dlfcn.h>

namespace forerun {
namespace {

// From H5Ipublic.h, H5public.h and similar headers.
constexpr int kDatatypeId = 3, kDataspaceId = 4, kDatasetId = 5;
constexpr Hid kDefault = 0; ///< H5P_DEFAULT, H5E_DEFAULT, H5S_ALL
constexpr unsigned kReadOnly = 0;
constexpr int kCollective = 1; ///< H5FD_MPIO_COLLECTIVE
constexpr std::size_t kNameBytes = 4096;

/// False, with \p missing set to its name: the library does not have it.
template <typename Function>
void look(void *library, const char *name, Function *&function, const char *&missing) {
  function = reinterpret_cast<Function *>(dlsym(library, name));
  if (function == nullptr)
    missing = name;
}

} // namespace

/// Nothing is printed while one of these lives.
class ProgramHdf5::Quiet {
public:
  explicit Quiet(const ProgramHdf5 &library) : library_(library) {
    unsigned isV2 = 0;
    isSet_ = library_.isAutoV2_(kDefault, &isV2) >= 0 && isV2 != 0 &&
             library_.getAuto_(kDefault, &handler_, &data_) >= 0 &&
             library_.setAuto_(kDefault, nullptr, nullptr) >= 0;
  }
  ~Quiet() {
    if (isSet_)
      library_.setAuto_(kDefault, handler_, data_);
  }
  Quiet(const Quiet &) = delete;
  Quiet &operator=(const Quiet &) = delete;

private:
  const ProgramHdf5 &library_;
  AutoHandler handler_ = nullptr;
  void *data_ = nullptr;
  bool isSet_ = false;
};

/// An identifier that is ours to release.
class ProgramHdf5::Id {
public:
  Id(const ProgramHdf5 &library, Hid id) : library_(library), id_(id) {}
  ~Id() {
    if (id_ > 0)
      library_.release_(id_);
  }
  Id(const Id &) = delete;
  Id &operator=(const Id &) = delete;

  explicit operator bool() const { return id_ > 0; }
  Hid get() const { return id_; }

private:
  const ProgramHdf5 &library_;
  const Hid id_;
};

ProgramHdf5::ProgramHdf5(std::string &whyNot) {
  const LoadedLibrary library = libraryThatDefines("H5get_libversion", whyNot);
  if (library.handle == nullptr)
    return;
  path_ = library.path;
  resolve(library.handle, whyNot);
}

void ProgramHdf5::resolve(void *library, std::string &whyNot) {
  const char *missing = nullptr;
  look(library, "H5Eauto_is_v2", isAutoV2_, missing);
  look(library, "H5Eget_auto2", getAuto_, missing);
  look(library, "H5Eset_auto2", setAuto_, missing);
  look(library, "H5Iget_type", typeOfId_, missing);
  look(library, "H5Idec_ref", release_, missing);
  look(library, "H5Iget_file_id", fileOfId_, missing);
  look(library, "H5Iget_name", nameOfId_, missing);
  look(library, "H5Fget_intent", intent_, missing);
  look(library, "H5Fget_vfd_handle", fileHandle_, missing);
  look(library, "H5Pget_dxpl_mpio", transferMode_, missing);
  look(library, "H5Dget_space", space_, missing);
  look(library, "H5Dget_type", type_, missing);
  look(library, "H5Dget_access_plist", datasetAccess_, missing);
  look(library, "H5Pget_chunk_cache", chunkCache_, missing);
  look(library, "H5Tequal", areTypesEqual_, missing);
  look(library, "H5Sget_select_npoints", points_, missing);
  // Its name since 1.12, where there is a second one.
  look(library, dlsym(library, "H5Sencode1") != nullptr ? "H5Sencode1" : "H5Sencode", encode_,
       missing);
  if (missing == nullptr)
    return;
  whyNot = path_ + " has no " + missing + ": it is of another version, or not for MPI";
  path_.clear();
}

std::optional<ProgramHdf5::Question> ProgramHdf5::ask(const Arguments &arguments,
                                                      const char *&whyNot) const {
  const Quiet quiet(*this);
  Question question;
  whyNot = askAboutFile(arguments, question);
  if (whyNot == nullptr)
    whyNot = askAboutSelection(arguments, question);
  if (whyNot != nullptr)
    return {};
  question.read.wholeChunkBytes = wholeChunkBytes(arguments);
  return question;
}

/// Null if all is well, otherwise why nothing is announced.
const char *ProgramHdf5::askAboutFile(const Arguments &arguments, Question &question) const {
  if (typeOfId_(arguments.dataset) != kDatasetId)
    return "it is not a data set";
  const Id file(*this, fileOfId_(arguments.dataset));
  unsigned flags = 0;
  if (!file || intent_(file.get(), &flags) < 0)
    return "its file is not known";
  if (flags != kReadOnly)
    return "the file is open to write, too, and where its data lies may change";
  question.file = fileOf(file.get());
  std::array<char, kNameBytes> name{};
  const ssize_t length = nameOfId_(arguments.dataset, name.data(), name.size());
  if (length <= 0 || static_cast<std::size_t>(length) >= name.size())
    return "the data set has no path";
  question.read.dataset = name.data();
  return nullptr;
}

/// For a file that another driver has opened, this is arbitrary: no MPI_File that anyone knows.
/// (Only a copy of its property list tells the driver, and making one is a collective call.)
MPI_File ProgramHdf5::fileOf(Hid file) const {
  void *handle = nullptr;
  if (fileHandle_(file, kDefault, &handle) < 0 || handle == nullptr)
    return MPI_FILE_NULL;
  return *static_cast<const MPI_File *>(handle); // the first member of a driver's structure
}

const char *ProgramHdf5::askAboutSelection(const Arguments &arguments, Question &question) const {
  constexpr const char *kRefused = "H5Dread would refuse its arguments";
  const bool isWhole = arguments.fileSpace == kDefault;
  if (typeOfId_(arguments.memoryType) != kDatatypeId ||
      (!isWhole && typeOfId_(arguments.fileSpace) != kDataspaceId))
    return kRefused;
  const Id own(*this, isWhole ? space_(arguments.dataset) : -1);
  const Hid space = isWhole ? own.get() : arguments.fileSpace;
  if (arguments.memorySpace != kDefault && (typeOfId_(arguments.memorySpace) != kDataspaceId ||
                                            points_(arguments.memorySpace) != points_(space)))
    return kRefused;
  if (isWhole)
    return nullptr;
  std::size_t bytes = 0;
  if (encode_(space, nullptr, &bytes) < 0 || bytes > Hdf5Prefetcher::kMaxBytes)
    return "the selection cannot be passed on to the twin";
  question.read.selection.resize(bytes);
  return encode_(space, question.read.selection.data(), &bytes) < 0 ? kRefused : nullptr;
}

/// A collective read without conversion brings exactly what is selected.
std::uint64_t ProgramHdf5::wholeChunkBytes(const Arguments &arguments) const {
  const Id type(*this, type_(arguments.dataset));
  if (isCollective(arguments) && type && areTypesEqual_(type.get(), arguments.memoryType) > 0)
    return 0;
  const Id access(*this, datasetAccess_(arguments.dataset));
  std::size_t slots = 0;
  std::size_t bytes = 0;
  double preemption = 0;
  return access && chunkCache_(access.get(), &slots, &bytes, &preemption) >= 0 ? bytes : 0;
}

bool ProgramHdf5::isCollective(const Arguments &arguments) const {
  int mode = 0;
  return arguments.transfer != kDefault && transferMode_(arguments.transfer, &mode) >= 0 &&
         mode == kCollective;
}

} // namespace forerun
