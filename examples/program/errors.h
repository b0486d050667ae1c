// SPDX-License-Identifier: MIT
// What goes wrong by the user's doing, told without a stack trace.
#pragma once

#include <stdexcept>

#include "cupyxx/message.h"

namespace examples {

/// A file or a device that cannot be used; the text names it. Ends the program with code 1.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A mistake on the command line. Ends the program with code 2.
class UsageError : public UserError {
 public:
  using UserError::UserError;
};

}  // namespace examples
