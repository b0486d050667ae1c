// SPDX-License-Identifier: MIT
#include "chainerxx/scope.h"

#include <utility>

namespace chainerxx {
namespace {
thread_local bool t_recording = true;
thread_local bool t_training = true;
}  // namespace

bool is_recording() { return t_recording; }
bool is_training() { return t_training; }

NoGradScope::NoGradScope() : previous_(std::exchange(t_recording, false)) {}
NoGradScope::~NoGradScope() { t_recording = previous_; }

TrainScope::TrainScope(bool train) : previous_(std::exchange(t_training, train)) {}
TrainScope::~TrainScope() { t_training = previous_; }

}  // namespace chainerxx
