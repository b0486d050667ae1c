// SPDX-License-Identifier: MIT
#include "chainerxx/internal/input_checks.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chainerxx/internal/form_text.h"
#include "cupyxx/error.h"
#include "typecheck/expect.h"
#include "typecheck/invalid_type.h"
#include "typecheck/type_infos.h"

namespace chainerxx::internal {
namespace {

/// What to write where an input is of another kind than the expected one: labels of uint8, say.
std::string kind_advice(const std::string& expect, ArraySpan arrays) {
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const std::string dtype = cupyxx::message("in_types[", i, "].dtype");
    for (const auto& [wanted, type] : {std::pair(".kind == i", cupyxx::int32),
                                       {".kind == f", cupyxx::float32},
                                       {" == float32", cupyxx::float32},
                                       {" == float64", cupyxx::float64}}) {
      if (expect != dtype + wanted) continue;
      return cupyxx::message(": ", arrays[i].dtype().name(), " input ", i,
                             ", try .astype(cupyxx::", type.name(), ")");
    }
  }
  return {};
}

}  // namespace

void check_types(const Function& f, ArraySpan arrays) {
  constexpr std::size_t kInline = 4;
  std::array<typecheck::TypeInfo, kInline> few;
  std::vector<typecheck::TypeInfo> many;
  if (arrays.size() > kInline) many.resize(arrays.size());
  const std::span infos = many.empty() ? std::span(few).first(arrays.size()) : std::span(many);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    infos[i] = typecheck::TypeInfo(arrays[i].shape(), arrays[i].dtype());
  }
  try {
    f.check_type_forward(typecheck::TypeInfos(infos));
  } catch (const typecheck::InvalidType& error) {
    throw error.in(f.label() + kind_advice(error.expect(), arrays));
  } catch (const cupyxx::Error& error) {
    // A condition that could not be evaluated; other errors name who throws them.
    if (!std::string_view(error.what()).starts_with("typecheck: ")) throw;
    typecheck::rethrow_as(cupyxx::message(f.label(), ": ", error.what()));
  }
}

void check_parameters(const Function& f, std::span<const Field> fields) {
  const Field* first = nullptr;
  for (const Field& field : fields) {
    if (field.array == nullptr || field.name == nullptr) {
      throw cupyxx::TypeError(cupyxx::message(
          f.label(), ": fields() gives a null pointer for the ",
          field.name == nullptr ? "name of an array" : std::string("array ") + field.name));
    }
    if (field.array->is_none()) {
      if (!field.required) continue;
      throw cupyxx::TypeError(cupyxx::message(
          f.label(), ": ", field.gradient != nullptr ? "the parameter " : "the state ", field.name,
          " is None"));
    }
    if (field.gradient == nullptr) continue;
    if (first == nullptr) first = &field;
    if (field.array->dtype() != first->array->dtype()) {
      throw cupyxx::DtypeError(cupyxx::message(
          f.label(), ": parameters of two dtypes; ", first->name, " ", first->array->dtype().name(),
          " and ", field.name, " ", field.array->dtype().name()));
    }
  }
}

void check_gradient_of(const Function& f, const Field& field) {
  const ndarray &array = *field.array, &gradient = *field.gradient;
  if (array.is_none() || gradient.is_none()) return;
  const bool shape_fits = gradient.shape() == array.shape();
  if (shape_fits && gradient.dtype() == array.dtype() && gradient.device() == array.device()) {
    return;
  }
  const std::string what = cupyxx::message(
      f.label(), ": the gradient g", field.name, " of a parameter does not match it; ",
      form_text(gradient), " and ", form_text(array), "; assign both");
  if (!shape_fits) throw cupyxx::ShapeError(what);
  throw cupyxx::DtypeError(what);
}

void check_gradient_is_written(const Function& f, const Field& field) {
  const ndarray &array = *field.array, &gradient = *field.gradient;
  if (!gradient.flags().writeable) {
    throw cupyxx::ValueError(cupyxx::message(f.label(), ": the gradient g", field.name,
                                             " of a parameter is read-only; ", gradient.shape(),
                                             " ", gradient.dtype().name()));
  }
  if (gradient.handle() == array.handle()) {
    throw cupyxx::ValueError(cupyxx::message(
        f.label(), ": the parameter ", field.name, " is its own gradient; assign an array of its ",
        "own to g", field.name, ", as zeros_like(", field.name, ")"));
  }
}

void check_devices(const Function& f, ArraySpan arrays, std::span<const Field> fields) {
  if (arrays.empty()) return;
  const cupyxx::Device device = arrays[0].device();
  const auto check = [&](const ndarray& a, const auto& name) {
    if (a.device() == device) return;
    const std::string places =
        cupyxx::message("; input 0 on ", device.name(), ", ", name(), " on ", a.device().name());
    if (a.device().is_cpu() != device.is_cpu()) {
      throw cupyxx::TypeError(
          cupyxx::message(f.label(), ": arrays of the host and of a device are mixed", places));
    }
    throw cupyxx::DeviceError(cupyxx::message(
        f.label(), ": arrays of two devices are mixed, which functions::copy prevents", places));
  };
  for (std::size_t i = 1; i < arrays.size(); ++i) {
    check(arrays[i], [&] { return cupyxx::message("input ", i); });
  }
  for (const Field& field : fields) {
    if (!field.array->is_none()) check(*field.array, [&] { return std::string(field.name); });
  }
}

}  // namespace chainerxx::internal
