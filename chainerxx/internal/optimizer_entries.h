// SPDX-License-Identifier: MIT
// What optimizers ask of the parameters that they move.
#pragma once

#include <vector>

#include "chainerxx/internal/tensor_table.h"

namespace chainerxx::internal {

/// Whether there is a parameter with the arrays of this one, or their transposes: layers that share
/// them are moved once. Throws ValueError for another parameter with its gradient. None is an
/// error, later on.
bool is_tied(const std::vector<OptimizerEntry>& entries, const OptimizerEntry& entry);

/// All parameters in the order of the model, those without sizes included.
std::vector<OptimizerEntry*> in_order(std::vector<OptimizerEntry>& entries,
                                      std::vector<OptimizerEntry>& waiting);

/// Whether two arrays have one dtype, device and shape.
bool same_form(const ndarray& a, const ndarray& b);

/// Throws ValueError, which begins with `operation`, unless the parameter and its gradient are
/// writeable arrays of one form.
void check_entry(const char* operation, const OptimizerEntry& entry);

/// For built-in algorithms. Throws DtypeError for a parameter that no update knows, and ValueError
/// for one that is its own gradient.
void check_has_kernel(const char* operation, const OptimizerEntry& entry);

/// While update_one of a user runs over the parameters of an optimizer their list stays as it is.
class UpdateOfUser {
 public:
  explicit UpdateOfUser(const void* optimizer) noexcept;
  UpdateOfUser(const UpdateOfUser&) = delete;
  UpdateOfUser& operator=(const UpdateOfUser&) = delete;
  ~UpdateOfUser();
  /// Whether one runs, on this thread.
  static bool runs_in(const void* optimizer) noexcept;

 private:
  const void* optimizer_;
  UpdateOfUser* outer_;
};

/// For a scale of losses, which stands where the parameters are. Throws ValueError for parameters
/// on several devices.
void check_one_device(const std::vector<OptimizerEntry>& entries);

}  // namespace chainerxx::internal
