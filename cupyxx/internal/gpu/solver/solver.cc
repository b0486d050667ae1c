// SPDX-License-Identifier: MIT
// One matrix after the other on the current stream, except where cuSOLVER takes a whole stack.
#include <algorithm>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/internal/gpu/launcher.h"
#include "cupyxx/internal/gpu/solver/cusolver.h"
#include "cupyxx/internal/gpu/solver/programs.h"
#include "cupyxx/internal/kernels/check_info.h"
#include "cupyxx/internal/lapack.h"

namespace cupyxx::internal::gpu {

namespace {

cudaDataType data_type(dtype type) {
  switch (type.code()) {
    case dtype::Code::float32:
      return CUDA_R_32F;
    case dtype::Code::complex64:
      return CUDA_C_32F;
    case dtype::Code::complex128:
      return CUDA_C_64F;
    default:
      return CUDA_R_64F;
  }
}

// A stack of matrices on the device.
struct Stack {
  Stack(const Launcher& launcher, const ndarray& a)
      : data(launcher.use<char>(&a)),
        type(data_type(a.dtype())),
        count(a.shape()[0]),
        columns(a.ndim() > 1 ? a.shape()[1] : 1),
        rows(a.ndim() > 2 ? a.shape()[2] : 1),
        bytes(columns * rows * a.itemsize()) {}

  void* at(std::int64_t i) const { return data + i * bytes; }
  template <class T>
  T* as(std::int64_t i) const {
    return static_cast<T*>(at(i));
  }

  char* data;
  cudaDataType type;
  std::int64_t count, columns, rows;
  std::int64_t bytes;  // of one matrix
};

// A workspace on the device, from the pool, and one on the host.
struct Workspace {
  Workspace(const char* operation, const Launcher& launcher, std::size_t device_bytes,
            std::size_t host_bytes)
      : on_device(make_array(operation, {static_cast<std::int64_t>(device_bytes)}, uint8,
                             Device::cuda(launcher.device()))),
        on_host(std::max<std::size_t>(1, host_bytes)),
        device_size(device_bytes),
        host_size(host_bytes) {
    launcher.use(&on_device);
  }

  ndarray on_device;
  std::vector<char> on_host;
  std::size_t device_size, host_size;
};

// Small matrices of a stack are worked on side by side.
constexpr std::int64_t kSmall = 512;

bool side_by_side(const Stack& x) {
  return x.count > 1 && x.count <= INT32_MAX && x.rows <= kSmall && x.columns <= kSmall;
}

// Calls body with a pointer of the element type and the function for it.
template <class S, class D, class C, class Z, class Body>
void with_type(cudaDataType type, S s, D d, C c, Z z, const Body& body) {
  switch (type) {
    case CUDA_R_32F:
      return body(static_cast<float*>(nullptr), s);
    case CUDA_C_32F:
      return body(static_cast<cuComplex*>(nullptr), c);
    case CUDA_C_64F:
      return body(static_cast<cuDoubleComplex*>(nullptr), z);
    default:
      return body(static_cast<double*>(nullptr), d);
  }
}

// The addresses of a stack's matrices, which the routines for many take.
ndarray addresses_of(const Launcher& launcher, const Stack& x) {
  const DeviceScope scope(Device::cuda(launcher.device()));
  const auto first = reinterpret_cast<std::int64_t>(x.data);
  const ndarray addresses = arange(first, first + x.count * x.bytes, x.bytes, uint64);
  launcher.use(&addresses);
  return addresses;
}

template <class T, class Function>
void lu_of_many(const Launcher& launcher, const SolverLease& lease, const Stack& x, int* swaps,
                int* infos, Function function) {
  const ndarray addresses = addresses_of(launcher, x);
  const int n = static_cast<int>(x.rows);
  lease.launched(function(lease.blas(), n, static_cast<T**>(addresses.elements()), n, swaps, infos,
                          static_cast<int>(x.count)),
                 "cublasXgetrfBatched");
}

template <class T, class Function>
void solve_many(const Launcher& launcher, const SolverLease& lease, const Stack& x, const Stack& y,
                const int* swaps, Function function) {
  const ndarray left = addresses_of(launcher, x), right = addresses_of(launcher, y);
  const int n = static_cast<int>(x.rows);
  int info = 0;
  lease.launched(function(lease.blas(), CUBLAS_OP_N, n, static_cast<int>(y.columns),
                          static_cast<const T**>(left.elements()), n, swaps,
                          static_cast<T**>(right.elements()), n, &info, static_cast<int>(x.count)),
                 "cublasXgetrsBatched");
}

template <class T, class Function>
void cholesky_of_many(const Launcher& launcher, const SolverLease& lease, const Stack& x,
                      int* infos, Function function) {
  const ndarray addresses = addresses_of(launcher, x);
  const int n = static_cast<int>(x.rows);
  lease.launched(
      function(lease.handle(), CUBLAS_FILL_MODE_LOWER, n, static_cast<T**>(addresses.elements()), n,
               infos, static_cast<int>(x.count)),
      "cusolverDnXpotrfBatched");
}

}  // namespace

void check_info(const char* operation, const ndarray& info, LapackDefect defect) {
  const Launcher launcher(info.device());
  kernels::CheckInfoArgs args{};
  args.info = launcher.use<const int>(&info);
  args.count = info.size();
  args.error =
      reinterpret_cast<kernels::ErrorWord*>(error_word(launcher.device(), launcher.stream()));
  args.operation = operation_number(operation);
  args.code = static_cast<unsigned>(defect);
  static KernelSlot slot;
  launcher.blocks(slot, check_info_program, 1, &args);
}

void lu(const char* operation, const ndarray& a, const ndarray& pivots, const ndarray& info) {
  const Launcher launcher(a.device());
  const SolverLease lease(operation, launcher.device());
  const Stack x(launcher, a);
  auto* swaps = launcher.use<std::int64_t>(&pivots);
  int* infos = launcher.use<int>(&info);
  const std::int64_t n = x.rows;
  if (side_by_side(x)) {
    const ndarray narrow = make_array(operation, pivots.shape(), int32, a.device());
    int* few = launcher.use<int>(&narrow);
    with_type(x.type, cublas().SgetrfBatched, cublas().DgetrfBatched, cublas().CgetrfBatched,
              cublas().ZgetrfBatched, [&]<class T>(T*, auto function) {
                lu_of_many<T>(launcher, lease, x, few, infos, function);
              });
    assign(operation, pivots, narrow);
    return;
  }
  std::size_t device_bytes = 0, host_bytes = 0;
  lease.check(cusolver().Xgetrf_bufferSize(lease.handle(), lease.params(), n, n, x.type, x.data, n,
                                           x.type, &device_bytes, &host_bytes),
              "cusolverDnXgetrf_bufferSize");
  Workspace work(operation, launcher, device_bytes, host_bytes);
  for (std::int64_t i = 0; i < x.count; ++i) {
    lease.launched(
        cusolver().Xgetrf(lease.handle(), lease.params(), n, n, x.type, x.at(i), n, swaps + i * n,
                          x.type, work.on_device.elements(), work.device_size, work.on_host.data(),
                          work.host_size, infos + i),
        "cusolverDnXgetrf");
  }
}

void lu_solve(const char* operation, const ndarray& lu, const ndarray& pivots, const ndarray& b) {
  const Launcher launcher(b.device());
  const SolverLease lease(operation, launcher.device());
  const Stack x(launcher, lu), y(launcher, b);
  const auto* swaps = launcher.use<const std::int64_t>(&pivots);
  const std::int64_t n = x.rows;
  if (side_by_side(x)) {
    const ndarray narrow = pivots.astype(int32);
    const int* few = launcher.use<const int>(&narrow);
    with_type(x.type, cublas().SgetrsBatched, cublas().DgetrsBatched, cublas().CgetrsBatched,
              cublas().ZgetrsBatched, [&]<class T>(T*, auto function) {
                solve_many<T>(launcher, lease, x, y, few, function);
              });
    return;
  }
  // Only says whether an argument is wrong.
  const ndarray info = make_array(operation, {1}, int32, b.device());
  for (std::int64_t i = 0; i < x.count; ++i) {
    lease.launched(
        cusolver().Xgetrs(lease.handle(), lease.params(), CUBLAS_OP_N, n, y.columns, x.type,
                          x.at(i), n, swaps + i * n, y.type, y.at(i), n, launcher.use<int>(&info)),
        "cusolverDnXgetrs");
  }
}

void cholesky(const char* operation, const ndarray& a, const ndarray& info) {
  const Launcher launcher(a.device());
  const Stack x(launcher, a);
  int* infos = launcher.use<int>(&info);
  const std::int64_t n = x.rows;
  const SolverLease lease(operation, launcher.device());
  if (side_by_side(x)) {
    with_type(x.type, cusolver().SpotrfBatched, cusolver().DpotrfBatched, cusolver().CpotrfBatched,
              cusolver().ZpotrfBatched, [&]<class T>(T*, auto function) {
                cholesky_of_many<T>(launcher, lease, x, infos, function);
              });
    return;
  }
  std::size_t device_bytes = 0, host_bytes = 0;
  lease.check(
      cusolver().Xpotrf_bufferSize(lease.handle(), lease.params(), CUBLAS_FILL_MODE_LOWER, n,
                                   x.type, x.data, n, x.type, &device_bytes, &host_bytes),
      "cusolverDnXpotrf_bufferSize");
  Workspace work(operation, launcher, device_bytes, host_bytes);
  for (std::int64_t i = 0; i < x.count; ++i) {
    lease.launched(
        cusolver().Xpotrf(lease.handle(), lease.params(), CUBLAS_FILL_MODE_LOWER, n, x.type,
                          x.at(i), n, x.type, work.on_device.elements(), work.device_size,
                          work.on_host.data(), work.host_size, infos + i),
        "cusolverDnXpotrf");
  }
}

void qr(const char* operation, const ndarray& a, const ndarray& tau) {
  const Launcher launcher(a.device());
  const SolverLease lease(operation, launcher.device());
  const Stack x(launcher, a), factors(launcher, tau);
  const ndarray info = make_array(operation, {1}, int32, a.device());
  std::size_t device_bytes = 0, host_bytes = 0;
  lease.check(cusolver().Xgeqrf_bufferSize(lease.handle(), lease.params(), x.rows, x.columns,
                                           x.type, x.data, x.rows, x.type, factors.data, x.type,
                                           &device_bytes, &host_bytes),
              "cusolverDnXgeqrf_bufferSize");
  Workspace work(operation, launcher, device_bytes, host_bytes);
  for (std::int64_t i = 0; i < x.count; ++i) {
    lease.launched(cusolver().Xgeqrf(lease.handle(), lease.params(), x.rows, x.columns, x.type,
                                     x.at(i), x.rows, x.type, factors.at(i), x.type,
                                     work.on_device.elements(), work.device_size,
                                     work.on_host.data(), work.host_size, launcher.use<int>(&info)),
                   "cusolverDnXgeqrf");
  }
}

namespace {

template <class T, class Size, class Form>
void form_each(const char* operation, const Launcher& launcher, const SolverLease& lease,
               const Stack& x, const Stack& factors, Size size, Form form) {
  const int m = static_cast<int>(x.rows), n = static_cast<int>(x.columns);
  const int k = static_cast<int>(factors.columns);
  int length = 0;
  lease.check(size(lease.handle(), m, n, k, x.as<T>(0), m, factors.as<T>(0), &length),
              "cusolverDnXorgqr_bufferSize");
  const Workspace work(operation, launcher, sizeof(T) * static_cast<std::size_t>(length), 0);
  const ndarray info = make_array(operation, {1}, int32, Device::cuda(launcher.device()));
  for (std::int64_t i = 0; i < x.count; ++i) {
    lease.launched(
        form(lease.handle(), m, n, k, x.as<T>(i), m, factors.as<T>(i),
             static_cast<T*>(work.on_device.elements()), length, launcher.use<int>(&info)),
        "cusolverDnXorgqr");
  }
}

}  // namespace

void form_q(const char* operation, const ndarray& q, const ndarray& tau) {
  const Launcher launcher(q.device());
  const SolverLease lease(operation, launcher.device());
  const Stack x(launcher, q), factors(launcher, tau);
  const CuSolver& f = cusolver();
  switch (x.type) {
    case CUDA_R_32F:
      return form_each<float>(operation, launcher, lease, x, factors, f.Sorgqr_bufferSize,
                              f.Sorgqr);
    case CUDA_C_32F:
      return form_each<cuComplex>(operation, launcher, lease, x, factors, f.Cungqr_bufferSize,
                                  f.Cungqr);
    case CUDA_C_64F:
      return form_each<cuDoubleComplex>(operation, launcher, lease, x, factors, f.Zungqr_bufferSize,
                                        f.Zungqr);
    default:
      return form_each<double>(operation, launcher, lease, x, factors, f.Dorgqr_bufferSize,
                               f.Dorgqr);
  }
}

void svd(const char* operation, const ndarray& a, const ndarray& s, const ndarray& u,
         const ndarray& vt, const ndarray& info) {
  const Launcher launcher(a.device());
  const SolverLease lease(operation, launcher.device());
  const Stack x(launcher, a), values(launcher, s);
  const bool vectors = !u.is_none();
  const Stack left(launcher, vectors ? u : a), right(launcher, vectors ? vt : a);
  int* infos = launcher.use<int>(&info);
  const std::int64_t m = x.rows, n = x.columns;
  const signed char job = !vectors ? 'N' : left.columns == m ? 'A' : 'S';
  const auto address = [&](const Stack& stack, std::int64_t i) {
    return vectors ? stack.at(i) : nullptr;
  };
  std::size_t device_bytes = 0, host_bytes = 0;
  lease.check(
      cusolver().Xgesvd_bufferSize(lease.handle(), lease.params(), job, job, m, n, x.type, x.data,
                                   m, values.type, values.data, x.type, address(left, 0), m, x.type,
                                   address(right, 0), n, x.type, &device_bytes, &host_bytes),
      "cusolverDnXgesvd_bufferSize");
  Workspace work(operation, launcher, device_bytes, host_bytes);
  for (std::int64_t i = 0; i < x.count; ++i) {
    lease.launched(
        cusolver().Xgesvd(lease.handle(), lease.params(), job, job, m, n, x.type, x.at(i), m,
                          values.type, values.at(i), x.type, address(left, i), m, x.type,
                          address(right, i), n, x.type, work.on_device.elements(), work.device_size,
                          work.on_host.data(), work.host_size, infos + i),
        "cusolverDnXgesvd");
  }
}

void eigh(const char* operation, const ndarray& a, const ndarray& w, bool vectors, bool lower,
          const ndarray& info) {
  const Launcher launcher(a.device());
  const SolverLease lease(operation, launcher.device());
  const Stack x(launcher, a), values(launcher, w);
  int* infos = launcher.use<int>(&info);
  const std::int64_t n = x.rows;
  const cusolverEigMode_t job = vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  const cublasFillMode_t part = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  std::size_t device_bytes = 0, host_bytes = 0;
  if (x.count == 1) {
    lease.check(cusolver().Xsyevd_bufferSize(lease.handle(), lease.params(), job, part, n, x.type,
                                             x.data, n, values.type, values.data, x.type,
                                             &device_bytes, &host_bytes),
                "cusolverDnXsyevd_bufferSize");
    Workspace work(operation, launcher, device_bytes, host_bytes);
    lease.launched(cusolver().Xsyevd(lease.handle(), lease.params(), job, part, n, x.type, x.data,
                                     n, values.type, values.data, x.type, work.on_device.elements(),
                                     work.device_size, work.on_host.data(), work.host_size, infos),
                   "cusolverDnXsyevd");
    return;
  }
  lease.check(cusolver().XsyevBatched_bufferSize(lease.handle(), lease.params(), job, part, n,
                                                 x.type, x.data, n, values.type, values.data,
                                                 x.type, &device_bytes, &host_bytes, x.count),
              "cusolverDnXsyevBatched_bufferSize");
  Workspace work(operation, launcher, device_bytes, host_bytes);
  lease.launched(cusolver().XsyevBatched(lease.handle(), lease.params(), job, part, n, x.type,
                                         x.data, n, values.type, values.data, x.type,
                                         work.on_device.elements(), work.device_size,
                                         work.on_host.data(), work.host_size, infos, x.count),
                 "cusolverDnXsyevBatched");
}

}  // namespace cupyxx::internal::gpu
