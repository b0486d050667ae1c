// SPDX-License-Identifier: MIT
#include "chainerxx/internal/optimizer_entries.h"

#include <algorithm>
#include <string>

#include "chainerxx/internal/form_text.h"
#include "cupyxx/error.h"

namespace chainerxx::internal {
namespace {

/// Whether the elements of two arrays are the same ones: one array, or one and its transpose.
bool is_same_memory(const ndarray& a, const ndarray& b) {
  if (a.body() == b.body()) return true;
  const auto is_dense = [](const ndarray& x) {
    const cupyxx::Flags flags = x.flags();
    return flags.c_contiguous || flags.f_contiguous;
  };
  return a.size() != 0 && a.size() == b.size() && a.dtype() == b.dtype() &&
         a.elements() == b.elements() && is_dense(a) && is_dense(b);
}

thread_local UpdateOfUser* t_running = nullptr;

}  // namespace

UpdateOfUser::UpdateOfUser(const void* optimizer) noexcept
    : optimizer_(optimizer), outer_(t_running) {
  t_running = this;
}

UpdateOfUser::~UpdateOfUser() { t_running = outer_; }

bool UpdateOfUser::runs_in(const void* optimizer) noexcept {
  for (const UpdateOfUser* each = t_running; each != nullptr; each = each->outer_) {
    if (each->optimizer_ == optimizer) return true;
  }
  return false;
}

bool is_tied(const std::vector<OptimizerEntry>& entries, const OptimizerEntry& entry) {
  if (entry.param->is_none() || entry.grad->is_none()) return false;
  return std::any_of(entries.begin(), entries.end(), [&](const OptimizerEntry& other) {
    if (other.param->is_none() || other.grad->is_none()) return false;
    if (!is_same_memory(*other.grad, *entry.grad)) return false;
    if (is_same_memory(*other.param, *entry.param)) return true;
    throw cupyxx::ValueError(
        cupyxx::message("Optimizer: two parameters have one gradient; ", other.name, " and ",
                        entry.name, ": give each an array of its own, as zeros_like(parameter)"));
  });
}

std::vector<OptimizerEntry*> in_order(std::vector<OptimizerEntry>& entries,
                                      std::vector<OptimizerEntry>& waiting) {
  std::vector<OptimizerEntry*> all;
  for (auto* part : {&entries, &waiting}) {
    for (OptimizerEntry& entry : *part) all.push_back(&entry);
  }
  std::stable_sort(all.begin(), all.end(), [](const OptimizerEntry* a, const OptimizerEntry* b) {
    return a->place < b->place;
  });
  return all;
}

bool same_form(const ndarray& a, const ndarray& b) {
  return a.dtype() == b.dtype() && a.device() == b.device() && a.shape() == b.shape();
}

void check_entry(const char* operation, const OptimizerEntry& entry) {
  if (entry.param->is_none() || entry.grad->is_none()) {
    throw cupyxx::ValueError(
        cupyxx::message(operation, ": a parameter or its gradient is None; ", entry.name));
  }
  if (!entry.param->flags().writeable || !entry.grad->flags().writeable) {
    throw cupyxx::ValueError(
        cupyxx::message(operation, ": a parameter or its gradient is read-only; ", entry.name));
  }
  if (same_form(*entry.param, *entry.grad)) return;
  throw cupyxx::ValueError(
      cupyxx::message(operation, ": a parameter and its gradient do not match; ", entry.name, " ",
                      form_text(*entry.param), " and ", form_text(*entry.grad)));
}

void check_has_kernel(const char* operation, const OptimizerEntry& entry) {
  if (entry.param->body() == entry.grad->body()) {
    throw cupyxx::ValueError(
        cupyxx::message(operation, ": a parameter is its own gradient; ", entry.name,
                        ": assign an array of its own to the gradient, as zeros_like(parameter)"));
  }
  const cupyxx::dtype type = entry.param->dtype();
  if (type == cupyxx::float16 || type == cupyxx::float32 || type == cupyxx::float64) return;
  throw cupyxx::DtypeError(cupyxx::message(operation,
                                           ": a parameter is not of float16, float32 or float64; ",
                                           entry.name, " ", type.name()));
}

void check_one_device(const std::vector<OptimizerEntry>& entries) {
  for (const OptimizerEntry& entry : entries) {
    if (entry.param->device() == entries[0].param->device()) continue;
    throw cupyxx::ValueError(cupyxx::message("scale_loss: the parameters are on several devices; ",
                                             entries[0].param->device().name(), " and ",
                                             entry.param->device().name()));
  }
}

}  // namespace chainerxx::internal
