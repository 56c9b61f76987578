// SPDX-License-Identifier: Apache-2.0
#include "forerun/standins.h"
#include "standins/Own.h"
#include "types/OwnTypes.h"

#include <cstdint>
#include <new>
#include <vector>

/// \file
/// The constructors of datatypes: the pre-execution thread makes types of its own (OwnTypes).

using forerun::own;
using forerun::PreThread;
using forerun::TypeConstructor;

namespace {

/// One call of a constructor: its numbers, in the order of its arguments, then the types.
class Call {
public:
  explicit Call(int combiner) : combiner_(combiner) {}

  Call &number(std::int64_t number) {
    numbers_.push_back(number);
    return *this;
  }
  template <class Number> Call &list(const Number *numbers, std::int64_t count) {
    if (count > 0)
      numbers_.insert(numbers_.end(), numbers, numbers + count);
    isValid_ &= count >= 0;
    return *this;
  }
  MPI_Datatype make(std::int64_t count, const MPI_Datatype *types) {
    return isValid_ && count >= 0
               ? forerun::ownTypes().make({combiner_, numbers_},
                                          {types, static_cast<std::size_t>(count)})
               : MPI_DATATYPE_NULL;
  }

private:
  const int combiner_;
  std::vector<std::int64_t> numbers_;
  bool isValid_ = true;
};

/// Types for which MPI would end the program are refused.
bool areTypes(const PreThread &self, int combiner, std::int64_t count, const MPI_Datatype *types) {
  for (std::int64_t i = 0; i < count; ++i)
    if (!self.mayAsk(types[i]) && (combiner != MPI_COMBINER_STRUCT || !forerun::isMarker(types[i])))
      return false;
  return true;
}

/// \p describe adds the numbers. MPI_SUCCESS if a type was made.
template <class Describe>
int make(int combiner, std::int64_t count, const MPI_Datatype *types, MPI_Datatype *made,
         const Describe &describe) {
  *own(made) = MPI_DATATYPE_NULL;
  const PreThread *const self = PreThread::self();
  if (self == nullptr || !areTypes(*self, combiner, count, types))
    return MPI_ERR_TYPE;
  const PreThread::Unstoppable unstoppable; // it allocates
  try {
    Call call(combiner);
    describe(call);
    *made = call.make(count, types);
  } catch (const std::bad_alloc &) {
    return MPI_ERR_NO_MEM;
  }
  return *made != MPI_DATATYPE_NULL ? MPI_SUCCESS : MPI_ERR_ARG;
}

template <class Describe>
int make(int combiner, MPI_Datatype type, MPI_Datatype *made, const Describe &describe) {
  return make(combiner, 1, &type, made, describe);
}

// Each constructor in its int and its MPI_Count form.

template <class Count, class Stride>
int vector(int combiner, Count count, Count length, Stride stride, MPI_Datatype type,
           MPI_Datatype *made) {
  return make(combiner, type, made,
              [&](Call &call) { call.number(count).number(length).number(stride); });
}

template <class Count, class Place>
int blocks(int combiner, Count count, const Count *lengths, const Place *places, MPI_Datatype type,
           MPI_Datatype *made) {
  return make(combiner, type, made,
              [&](Call &call) { call.number(count).list(lengths, count).list(places, count); });
}

template <class Count, class Place>
int equalBlocks(int combiner, Count count, Count length, const Place *places, MPI_Datatype type,
                MPI_Datatype *made) {
  return make(combiner, type, made,
              [&](Call &call) { call.number(count).number(length).list(places, count); });
}

template <class Count, class Place>
int structure(Count count, const Count *lengths, const Place *places, const MPI_Datatype *types,
              MPI_Datatype *made) {
  return make(MPI_COMBINER_STRUCT, count, types, made,
              [&](Call &call) { call.number(count).list(lengths, count).list(places, count); });
}

template <class Count>
int subarray(int dimensions, const Count *sizes, const Count *subsizes, const Count *starts,
             int order, MPI_Datatype type, MPI_Datatype *made) {
  return make(MPI_COMBINER_SUBARRAY, type, made, [&](Call &call) {
    call.number(dimensions).list(sizes, dimensions).list(subsizes, dimensions);
    call.list(starts, dimensions).number(order);
  });
}

template <class Count>
int darray(int size, int rank, int dimensions, const Count *sizes, const int *distributions,
           const int *arguments, const int *processes, int order, MPI_Datatype type,
           MPI_Datatype *made) {
  return make(MPI_COMBINER_DARRAY, type, made, [&](Call &call) {
    call.number(size).number(rank).number(dimensions);
    call.list(sizes, dimensions).list(distributions, dimensions).list(arguments, dimensions);
    call.list(processes, dimensions).number(order);
  });
}

} // namespace

extern "C" {

int forerun_pre_MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype *made) {
  return forerun_pre_MPI_Type_contiguous_c(count, type, made);
}
int forerun_pre_MPI_Type_contiguous_c(MPI_Count count, MPI_Datatype type, MPI_Datatype *made) {
  return make(MPI_COMBINER_CONTIGUOUS, type, made, [&](Call &call) { call.number(count); });
}

int forerun_pre_MPI_Type_dup(MPI_Datatype type, MPI_Datatype *made) {
  return make(MPI_COMBINER_DUP, type, made, [](Call &) {});
}

int forerun_pre_MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent,
                                        MPI_Datatype *made) {
  return forerun_pre_MPI_Type_create_resized_c(type, lower, extent, made);
}
int forerun_pre_MPI_Type_create_resized_c(MPI_Datatype type, MPI_Count lower, MPI_Count extent,
                                          MPI_Datatype *made) {
  return make(MPI_COMBINER_RESIZED, type, made,
              [&](Call &call) { call.number(lower).number(extent); });
}

int forerun_pre_MPI_Type_vector(int count, int length, int stride, MPI_Datatype type,
                                MPI_Datatype *made) {
  return vector(MPI_COMBINER_VECTOR, count, length, stride, type, made);
}
int forerun_pre_MPI_Type_vector_c(MPI_Count count, MPI_Count length, MPI_Count stride,
                                  MPI_Datatype type, MPI_Datatype *made) {
  return vector(MPI_COMBINER_VECTOR, count, length, stride, type, made);
}

int forerun_pre_MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type,
                                        MPI_Datatype *made) {
  return vector(MPI_COMBINER_HVECTOR, count, length, stride, type, made);
}
int forerun_pre_MPI_Type_create_hvector_c(MPI_Count count, MPI_Count length, MPI_Count stride,
                                          MPI_Datatype type, MPI_Datatype *made) {
  return vector(MPI_COMBINER_HVECTOR, count, length, stride, type, made);
}

int forerun_pre_MPI_Type_indexed(int count, const int *lengths, const int *places,
                                 MPI_Datatype type, MPI_Datatype *made) {
  return blocks(MPI_COMBINER_INDEXED, count, lengths, places, type, made);
}
int forerun_pre_MPI_Type_indexed_c(MPI_Count count, const MPI_Count *lengths,
                                   const MPI_Count *places, MPI_Datatype type, MPI_Datatype *made) {
  return blocks(MPI_COMBINER_INDEXED, count, lengths, places, type, made);
}

int forerun_pre_MPI_Type_create_hindexed(int count, const int *lengths, const MPI_Aint *places,
                                         MPI_Datatype type, MPI_Datatype *made) {
  return blocks(MPI_COMBINER_HINDEXED, count, lengths, places, type, made);
}
int forerun_pre_MPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count *lengths,
                                           const MPI_Count *places, MPI_Datatype type,
                                           MPI_Datatype *made) {
  return blocks(MPI_COMBINER_HINDEXED, count, lengths, places, type, made);
}

int forerun_pre_MPI_Type_create_indexed_block(int count, int length, const int *places,
                                              MPI_Datatype type, MPI_Datatype *made) {
  return equalBlocks(MPI_COMBINER_INDEXED_BLOCK, count, length, places, type, made);
}
int forerun_pre_MPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count length,
                                                const MPI_Count *places, MPI_Datatype type,
                                                MPI_Datatype *made) {
  return equalBlocks(MPI_COMBINER_INDEXED_BLOCK, count, length, places, type, made);
}

int forerun_pre_MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint *places,
                                               MPI_Datatype type, MPI_Datatype *made) {
  return equalBlocks(MPI_COMBINER_HINDEXED_BLOCK, count, length, places, type, made);
}
int forerun_pre_MPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count length,
                                                 const MPI_Count *places, MPI_Datatype type,
                                                 MPI_Datatype *made) {
  return equalBlocks(MPI_COMBINER_HINDEXED_BLOCK, count, length, places, type, made);
}

int forerun_pre_MPI_Type_create_struct(int count, const int *lengths, const MPI_Aint *places,
                                       const MPI_Datatype *types, MPI_Datatype *made) {
  return structure(count, lengths, places, types, made);
}
int forerun_pre_MPI_Type_create_struct_c(MPI_Count count, const MPI_Count *lengths,
                                         const MPI_Count *places, const MPI_Datatype *types,
                                         MPI_Datatype *made) {
  return structure(count, lengths, places, types, made);
}

int forerun_pre_MPI_Type_create_subarray(int dimensions, const int *sizes, const int *subsizes,
                                         const int *starts, int order, MPI_Datatype type,
                                         MPI_Datatype *made) {
  return subarray(dimensions, sizes, subsizes, starts, order, type, made);
}
int forerun_pre_MPI_Type_create_subarray_c(int dimensions, const MPI_Count *sizes,
                                           const MPI_Count *subsizes, const MPI_Count *starts,
                                           int order, MPI_Datatype type, MPI_Datatype *made) {
  return subarray(dimensions, sizes, subsizes, starts, order, type, made);
}

int forerun_pre_MPI_Type_create_darray(int size, int rank, int dimensions, const int *sizes,
                                       const int *distributions, const int *arguments,
                                       const int *processes, int order, MPI_Datatype type,
                                       MPI_Datatype *made) {
  return darray(size, rank, dimensions, sizes, distributions, arguments, processes, order, type,
                made);
}
int forerun_pre_MPI_Type_create_darray_c(int size, int rank, int dimensions, const MPI_Count *sizes,
                                         const int *distributions, const int *arguments,
                                         const int *processes, int order, MPI_Datatype type,
                                         MPI_Datatype *made) {
  return darray(size, rank, dimensions, sizes, distributions, arguments, processes, order, type,
                made);
}

int forerun_pre_MPI_Type_commit(MPI_Datatype * /*type*/) { return MPI_SUCCESS; }

/// Only the handle is reset: its old value need not have been computed.
int forerun_pre_MPI_Type_free(MPI_Datatype *type) {
  *own(type) = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}
}
