// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gradient_exchange.h"

#include <utility>

#include "cupyxx/export.h"

namespace chainerxx::internal {
namespace {

thread_local GradientExchange* t_current = nullptr;

}  // namespace

GradientExchange* GradientExchange::current() { return t_current; }

CUPYXX_API GradientExchangeScope::GradientExchangeScope(GradientExchange* exchange)
    : outer_(std::exchange(t_current, exchange)) {}

CUPYXX_API GradientExchangeScope::~GradientExchangeScope() { t_current = outer_; }

}  // namespace chainerxx::internal
