// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gradient_exchange.h"

#include <utility>

#include "cupyxx/export.h"

namespace chainerxx::internal {
namespace {

thread_local GradientExchange* t_current = nullptr;
thread_local int t_open = 0;

}  // namespace

GradientExchange* GradientExchange::current() { return t_current; }

CUPYXX_API GradientExchangeScope::GradientExchangeScope(GradientExchange* exchange)
    : outer_(std::exchange(t_current, exchange)) {
  ++t_open;
}

CUPYXX_API GradientExchangeScope::~GradientExchangeScope() {
  t_current = outer_;
  --t_open;
}

bool GradientExchangeScope::is_open() { return t_open > 0; }

}  // namespace chainerxx::internal
