// SPDX-License-Identifier: MIT
// The exceptions that cupyxx throws. The kinds are NumPy's; every text has the form
// "operation: what is wrong; the values".
#pragma once

#include <stdexcept>
#include <string>

#include "cupyxx/export.h"
#include "cupyxx/message.h"

namespace cupyxx {

/// Root of all exceptions of the four libraries.
class CUPYXX_API Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what);
  Error(const Error&) = default;
  Error& operator=(const Error&) = default;
  ~Error() override;
};

/// An operand of the wrong kind: a dtype, or a host array beside a device array.
class CUPYXX_API TypeError : public Error {
 public:
  using Error::Error;
  ~TypeError() override;
};

/// A dtype for which an operation has no loop, or a cast that its rule forbids.
class CUPYXX_API DtypeError : public TypeError {
 public:
  using TypeError::TypeError;
  ~DtypeError() override;
};

/// A value that an operation cannot take.
class CUPYXX_API ValueError : public virtual Error {
 public:
  explicit ValueError(const std::string& what);
  ~ValueError() override;
};

/// Shapes that do not fit each other.
class CUPYXX_API ShapeError : public ValueError {
 public:
  explicit ShapeError(const std::string& what);
  ~ShapeError() override;
};

/// A device that does not exist, or arrays on devices that cannot reach each other.
class CUPYXX_API DeviceError : public ValueError {
 public:
  explicit DeviceError(const std::string& what);
  ~DeviceError() override;
};

/// An index outside of its axis.
class CUPYXX_API IndexError : public virtual Error {
 public:
  explicit IndexError(const std::string& what);
  ~IndexError() override;
};

/// An axis outside of the array's rank; both a ValueError and an IndexError, as in NumPy.
class CUPYXX_API AxisError : public ValueError, public IndexError {
 public:
  explicit AxisError(const std::string& what);
  ~AxisError() override;
};

/// A C++ integer that does not fit the dtype of the operation.
class CUPYXX_API OverflowError : public Error {
 public:
  using Error::Error;
  ~OverflowError() override;
};

/// A file that is missing, unreadable, damaged or cannot be written.
class CUPYXX_API IOError : public Error {
 public:
  using Error::Error;
  ~IOError() override;
};

/// Memory that cannot be had.
class CUPYXX_API MemoryError : public Error {
 public:
  using Error::Error;
  ~MemoryError() override;
};

/// A device's memory, or a pool's limit, is exhausted.
class CUPYXX_API OutOfMemoryError : public MemoryError {
 public:
  using MemoryError::MemoryError;
  ~OutOfMemoryError() override;
};

/// A call into CUDA or one of its libraries failed.
class CUPYXX_API CudaError : public Error {
 public:
  using Error::Error;
  ~CudaError() override;
};

/// A kernel's source did not compile; the text holds the log and the numbered source.
class CUPYXX_API CompileError : public Error {
 public:
  using Error::Error;
  ~CompileError() override;
};

}  // namespace cupyxx

namespace cupyxx::linalg {

/// A matrix that cannot be inverted or decomposed.
class CUPYXX_API LinAlgError : public ValueError {
 public:
  explicit LinAlgError(const std::string& what);
  ~LinAlgError() override;
};

}  // namespace cupyxx::linalg
