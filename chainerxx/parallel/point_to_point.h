// SPDX-License-Identifier: MIT
// Variables that go from rank to rank, with their gradients on the way back: a network may be cut
// in pieces, each on its rank.
//
//   if (comm.rank() == 0) {
//     Variable sent = F::send(first_half(x), comm, 1);
//     sent.backward();                                   // waits for the gradient of rank 1
//   } else {
//     Variable loss = F::softmax_cross_entropy(second_half(F::recv(comm, 0)), t);
//     loss.backward();
//   }
#pragma once

#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/comm.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Of (x): sends it. The result is a single 0, from which backward() begins, or goes on to here
/// where it is the delegate of a recv().
class CUPYXX_API Send final : public FunctionOf<Send> {
 public:
  Send(const cupyxx::comm::Communicator& communicator, int rank, int tag);
  std::vector<ndarray> forward(ArraySpan inputs) override;
  std::vector<ndarray> backward(ArraySpan inputs, ArraySpan gy) override;

 private:
  cupyxx::comm::Communicator communicator_;
  int rank_, tag_;
};

/// Of () or of (delegate): what has been sent.
class CUPYXX_API Recv final : public FunctionOf<Recv> {
 public:
  Recv(const cupyxx::comm::Communicator& communicator, int rank, int tag);
  std::vector<ndarray> forward(ArraySpan inputs) override;
  std::vector<ndarray> backward(ArraySpan inputs, ArraySpan gy) override;

 private:
  cupyxx::comm::Communicator communicator_;
  int rank_, tag_;
};

/// Of (x): the elementwise sum over the ranks, on every rank; so is the gradient's.
class CUPYXX_API AllReduce final : public FunctionOf<AllReduce> {
 public:
  explicit AllReduce(const cupyxx::comm::Communicator& communicator);
  std::vector<ndarray> forward(ArraySpan inputs) override;
  std::vector<ndarray> backward(ArraySpan inputs, ArraySpan gy) override;

 private:
  cupyxx::comm::Communicator communicator_;
};

/// Sends a variable to a rank, which calls recv(). The result has a single element, 0: backward()
/// from it brings the gradient of the other rank to x.
inline Variable send(const Variable& x, const cupyxx::comm::Communicator& communicator, int rank,
                     int tag = 0) {
  return Send(communicator, rank, tag)(x);
}
/// The variable that a rank sends. `delegate_variable`, the result of an earlier send() of this
/// rank, ties the two: backward() goes through both, the later one first.
inline Variable recv(const cupyxx::comm::Communicator& communicator, int rank,
                     const Variable& delegate_variable = {}, int tag = 0) {
  if (delegate_variable.is_none()) return Recv(communicator, rank, tag)();
  return Recv(communicator, rank, tag)(delegate_variable);
}
/// The elementwise sum of all ranks' variables, on every rank.
inline Variable all_reduce(const Variable& x, const cupyxx::comm::Communicator& communicator) {
  return AllReduce(communicator)(x);
}

}  // namespace chainerxx::functions
