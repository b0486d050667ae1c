// SPDX-License-Identifier: MIT
#include "chainerxx/parallel/point_to_point.h"

#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace chainerxx::functions {

Send::Send(const cupyxx::comm::Communicator& communicator, int rank, int tag)
    : communicator_(communicator), rank_(rank), tag_(tag) {}

std::vector<ndarray> Send::forward(ArraySpan in) {
  if (in.size() != 1) {
    throw cupyxx::ValueError(cupyxx::message("Send: one variable is sent at a time; ", in.size()));
  }
  retain_inputs({});
  communicator_.send(in[0], rank_, {.tag = tag_});
  return {cupyxx::zeros({}, in[0].dtype())};
}

std::vector<ndarray> Send::backward(ArraySpan, ArraySpan) {
  return {communicator_.recv(rank_, {.tag = tag_})};
}

Recv::Recv(const cupyxx::comm::Communicator& communicator, int rank, int tag)
    : communicator_(communicator), rank_(rank), tag_(tag) {}

std::vector<ndarray> Recv::forward(ArraySpan) {
  retain_inputs({});
  return {communicator_.recv(rank_, {.tag = tag_})};
}

std::vector<ndarray> Recv::backward(ArraySpan in, ArraySpan gy) {
  communicator_.send(gy[0], rank_, {.tag = tag_});
  if (in.empty()) return {};
  // The delegate's own gradient is of no account, but backward goes on there.
  return {cupyxx::zeros(input_shape(0), gy[0].dtype())};
}

AllReduce::AllReduce(const cupyxx::comm::Communicator& communicator)
    : communicator_(communicator) {}

std::vector<ndarray> AllReduce::forward(ArraySpan in) {
  retain_inputs({});
  return {communicator_.all_reduce(in[0])};
}

std::vector<ndarray> AllReduce::backward(ArraySpan, ArraySpan gy) {
  return {communicator_.all_reduce(gy[0])};
}

}  // namespace chainerxx::functions
