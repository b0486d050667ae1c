// SPDX-License-Identifier: MIT
// What is asked of arrays that are given as `out`.
#include "cupyxx/core/arrays.h"
#include "cupyxx/error.h"

namespace cupyxx::internal {

void check_out_shape(std::string_view operation, const ndarray& out, const Shape& shape) {
  if (out.shape() == shape) return;
  throw ShapeError(message(operation, ": out has shape ", out.shape(), ", the result ", shape));
}

void check_out_writeable(std::string_view operation, const ndarray& out) {
  if (out.body()->writeable) return;
  throw ValueError(message(operation, ": the output array is read-only"));
}

void check_out_cast(std::string_view operation, const ndarray& out, dtype computed, bool fits,
                    std::optional<Casting> rule) {
  if (fits) return;
  const std::string by = rule ? message(" with casting rule '", name(*rule), "'") : "";
  throw DtypeError(message(operation, ": cannot cast the result from ", computed.name(), " to ",
                           out.dtype().name(), by));
}

void check_target(std::string_view operation, std::string_view what, const ndarray& target,
                  const Shape& shape, dtype type, Device device) {
  if (!(target.shape() == shape)) {
    throw ShapeError(message(operation, ": ", what, " has the wrong shape; ", target.shape(),
                             " instead of ", shape));
  }
  if (!target.body()->writeable) {
    throw ValueError(message(operation, ": ", what, " is read-only"));
  }
  if (!(target.device() == device)) {
    throw TypeError(message(operation, ": ", what, " is on another device; ",
                            target.device().name(), " instead of ", device.name()));
  }
  if (type && target.dtype() != type) {
    throw ValueError(message(operation, ": ", what, " has the wrong dtype; ", target.dtype().name(),
                             " instead of ", type.name()));
  }
}

}  // namespace cupyxx::internal
