// SPDX-License-Identifier: MIT
// What we declare of NCCL is what its header declares.
#include "cupyxx/comm/nccl_library.h"

#include <gtest/gtest.h>

#if __has_include(<nccl.h>)
#include <nccl.h>
#define CUPYXX_HAS_NCCL 1
#endif

namespace cupyxx::comm::internal {
namespace {

#if defined(CUPYXX_HAS_NCCL)

/// Both take the same arguments, as the machine sees them: numbers, pointers, the id by value.
template <class A>
constexpr std::size_t kKind = std::is_pointer_v<A> ? 1000 : sizeof(A);

template <class Ours, class Theirs>
struct Agree : std::false_type {};
template <class R, class... A, class S, class... B>
requires(sizeof...(A) == sizeof...(B)) struct Agree<R (*)(A...), S (*)(B...)>
    : std::bool_constant<kKind<R> == kKind<S> && ((kKind<A> == kKind<B>)&&...)> {
};

#define EXPECT_AGREE(ours, theirs) \
  EXPECT_TRUE((Agree<decltype(NcclLibrary::ours), decltype(&::theirs)>::value)) << #theirs

TEST(NcclLibrary, DeclaresItsFunctions) {
  EXPECT_AGREE(get_version, ncclGetVersion);
  EXPECT_AGREE(get_unique_id, ncclGetUniqueId);
  EXPECT_AGREE(comm_init_rank, ncclCommInitRank);
  EXPECT_AGREE(comm_destroy, ncclCommDestroy);
  EXPECT_AGREE(comm_abort, ncclCommAbort);
  EXPECT_AGREE(comm_get_async_error, ncclCommGetAsyncError);
  EXPECT_AGREE(all_reduce, ncclAllReduce);
  EXPECT_AGREE(reduce, ncclReduce);
  EXPECT_AGREE(broadcast, ncclBroadcast);
  EXPECT_AGREE(all_gather, ncclAllGather);
  EXPECT_AGREE(reduce_scatter, ncclReduceScatter);
  EXPECT_AGREE(send, ncclSend);
  EXPECT_AGREE(recv, ncclRecv);
  EXPECT_AGREE(group_start, ncclGroupStart);
  EXPECT_AGREE(group_end, ncclGroupEnd);
  EXPECT_AGREE(get_error_string, ncclGetErrorString);
  EXPECT_AGREE(get_last_error, ncclGetLastError);
}

TEST(NcclLibrary, DeclaresItsNumbers) {
  EXPECT_EQ(sizeof(NcclId), sizeof(ncclUniqueId));
  EXPECT_EQ(int{kNcclSuccess}, int{ncclSuccess});
  EXPECT_EQ(int{kNcclInProgress}, int{ncclInProgress});
  EXPECT_EQ(int{kNcclSum}, int{ncclSum});
  EXPECT_EQ(int{kNcclProd}, int{ncclProd});
  EXPECT_EQ(int{kNcclMax}, int{ncclMax});
  EXPECT_EQ(int{kNcclMin}, int{ncclMin});
  EXPECT_EQ(int{kNcclAvg}, int{ncclAvg});
  EXPECT_EQ(int{kNcclInt8}, int{ncclInt8});
  EXPECT_EQ(int{kNcclUint8}, int{ncclUint8});
  EXPECT_EQ(int{kNcclInt32}, int{ncclInt32});
  EXPECT_EQ(int{kNcclUint32}, int{ncclUint32});
  EXPECT_EQ(int{kNcclInt64}, int{ncclInt64});
  EXPECT_EQ(int{kNcclUint64}, int{ncclUint64});
  EXPECT_EQ(int{kNcclFloat16}, int{ncclFloat16});
  EXPECT_EQ(int{kNcclFloat32}, int{ncclFloat32});
  EXPECT_EQ(int{kNcclFloat64}, int{ncclFloat64});
  EXPECT_EQ(int{kNcclBfloat16}, int{ncclBfloat16});
}

TEST(NcclLibrary, OpensWhereItIsInstalled) {
  int version = 0;
  ASSERT_EQ(NcclLibrary::get().get_version(&version), kNcclSuccess);
  EXPECT_GE(version, 20000);
}

#else

TEST(NcclLibrary, IsDeclaredWithoutItsHeader) { EXPECT_EQ(sizeof(NcclId), 128u); }

#endif

}  // namespace
}  // namespace cupyxx::comm::internal
