// SPDX-License-Identifier: MIT
#include "gradcheck/check_double_backward.h"

#include <algorithm>

#include "cupyxx/error.h"
#include "gradcheck/internal/compare.h"

namespace gradcheck::internal {

std::vector<std::size_t> differentiated_inputs(const ArrayList& inputs,
                                               const std::vector<int>& no_grad) {
  check_input_numbers("check_double_backward", no_grad, inputs.size());
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool is_skipped =
        std::find(no_grad.begin(), no_grad.end(), static_cast<int>(i)) != no_grad.end();
    if (inputs[i].dtype().is_floating() && !is_skipped) numbers.push_back(i);
  }
  return numbers;
}

void check_gradient_lists(std::size_t outputs, std::size_t grad_outputs, std::size_t differentiated,
                          std::size_t grad_grads) {
  if (outputs != grad_outputs) {
    throw cupyxx::ValueError(
        cupyxx::message("check_double_backward: one gradient for each output is needed; ", outputs,
                        " outputs, ", grad_outputs, " gradients"));
  }
  if (differentiated != grad_grads) {
    throw cupyxx::ValueError(cupyxx::message(
        "check_double_backward: one gradient of a gradient for each input is needed; ",
        differentiated, " inputs, ", grad_grads, " gradients"));
  }
}

}  // namespace gradcheck::internal
