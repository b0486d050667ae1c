// SPDX-License-Identifier: MIT
#include "cupyxx/error.h"

namespace cupyxx {

// The destructors stand here so that each class has one home for its type information.
Error::Error(const std::string& what) : std::runtime_error(what) {}
Error::~Error() = default;
TypeError::~TypeError() = default;
DtypeError::~DtypeError() = default;
ValueError::ValueError(const std::string& what) : Error(what) {}
ValueError::~ValueError() = default;
ShapeError::ShapeError(const std::string& what) : Error(what), ValueError(what) {}
ShapeError::~ShapeError() = default;
DeviceError::DeviceError(const std::string& what) : Error(what), ValueError(what) {}
DeviceError::~DeviceError() = default;
IndexError::IndexError(const std::string& what) : Error(what) {}
IndexError::~IndexError() = default;
AxisError::AxisError(const std::string& what) : Error(what), ValueError(what), IndexError(what) {}
AxisError::~AxisError() = default;
OverflowError::~OverflowError() = default;
IOError::~IOError() = default;
MemoryError::~MemoryError() = default;
OutOfMemoryError::~OutOfMemoryError() = default;
CudaError::~CudaError() = default;
CompileError::~CompileError() = default;

namespace linalg {

LinAlgError::LinAlgError(const std::string& what) : Error(what), ValueError(what) {}
LinAlgError::~LinAlgError() = default;

}  // namespace linalg

}  // namespace cupyxx
