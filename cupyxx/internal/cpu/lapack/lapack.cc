// SPDX-License-Identifier: MIT
// One matrix after the other through OpenBLAS's LAPACK.
#include "cupyxx/internal/lapack.h"

#include <algorithm>
#include <climits>
#include <string>
#include <vector>

#include "cupyxx/internal/cpu/blas/openblas.h"
#include "cupyxx/linalg_error.h"

namespace cupyxx::internal::cpu {

namespace {

// A stack of matrices whose extents LAPACK can count.
template <class T>
struct Stack {
  Stack(const char* operation, const ndarray& a)
      : data(static_cast<T*>(a.data())), count(a.shape()[0]) {
    const Shape shape = a.shape();
    for (int i = 1; i < shape.ndim(); ++i) {
      if (shape[i] <= INT_MAX) continue;
      throw ValueError(std::string(operation) + ": the matrix is too large for LAPACK; " +
                       shape.str());
    }
    columns = static_cast<int>(shape.ndim() > 1 ? shape[1] : 1);
    rows = static_cast<int>(shape.ndim() > 2 ? shape[2] : 1);
  }

  T* at(std::int64_t i) const { return data + i * columns * rows; }

  T* data;
  std::int64_t count;
  int columns, rows;
};

template <class T>
const Lapack<T>& routines(const char* operation) {
  if constexpr (sizeof(T) == sizeof(float)) {
    return openblas(operation).s;
  } else {
    return openblas(operation).d;
  }
}

// Calls f with a value of the element type.
template <class F>
void for_type(const ndarray& a, F&& f) {
  a.dtype() == float32 ? f(float()) : f(double());
}

// Calls a routine twice: for the size of its workspace, then with it.
template <class T, class Call>
void with_workspace(std::vector<T>& work, const Call& call) {
  if (work.empty()) {
    T size = 0;
    const int query = -1;
    call(&size, &query);
    work.resize(static_cast<std::size_t>(std::max<T>(1, size)));
  }
  const int length = static_cast<int>(work.size());
  call(work.data(), &length);
}

}  // namespace

void check_info(const char* operation, const ndarray& info, LapackDefect defect) {
  for (const int found : info.span<int>()) {
    if (found == 0) continue;
    throw linalg::LinAlgError(std::string(operation) + ": " + describe(defect) + "; info " +
                              std::to_string(found));
  }
}

void lu(const char* operation, const ndarray& a, const ndarray& pivots, const ndarray& info) {
  for_type(a, [&]<class T>(T) {
    const Stack<T> x(operation, a);
    std::vector<int> swaps(static_cast<std::size_t>(x.rows));
    auto* wide = static_cast<std::int64_t*>(pivots.data());
    for (std::int64_t i = 0; i < x.count; ++i) {
      routines<T>(operation).getrf(&x.rows, &x.rows, x.at(i), &x.rows, swaps.data(),
                                   static_cast<int*>(info.data()) + i);
      wide = std::copy(swaps.begin(), swaps.end(), wide);
    }
  });
}

void lu_solve(const char* operation, const ndarray& lu, const ndarray& pivots, const ndarray& b) {
  for_type(lu, [&]<class T>(T) {
    const Stack<T> x(operation, lu), y(operation, b);
    const auto* wide = static_cast<const std::int64_t*>(pivots.data());
    std::vector<int> swaps(static_cast<std::size_t>(x.rows));
    for (std::int64_t i = 0; i < x.count; ++i, wide += x.rows) {
      std::transform(wide, wide + x.rows, swaps.begin(),
                     [](std::int64_t row) { return static_cast<int>(row); });
      int info = 0;
      routines<T>(operation).getrs("N", &x.rows, &y.columns, x.at(i), &x.rows, swaps.data(),
                                   y.at(i), &x.rows, &info);
    }
  });
}

void cholesky(const char* operation, const ndarray& a, const ndarray& info) {
  for_type(a, [&]<class T>(T) {
    const Stack<T> x(operation, a);
    for (std::int64_t i = 0; i < x.count; ++i) {
      routines<T>(operation).potrf("L", &x.rows, x.at(i), &x.rows,
                                   static_cast<int*>(info.data()) + i);
    }
  });
}

void qr(const char* operation, const ndarray& a, const ndarray& tau) {
  for_type(a, [&]<class T>(T) {
    const Stack<T> x(operation, a), factors(operation, tau);
    std::vector<T> space;
    for (std::int64_t i = 0; i < x.count; ++i) {
      int info = 0;
      with_workspace(space, [&](T* work, const int* length) {
        routines<T>(operation).geqrf(&x.rows, &x.columns, x.at(i), &x.rows, factors.at(i), work,
                                     length, &info);
      });
    }
  });
}

void form_q(const char* operation, const ndarray& q, const ndarray& tau) {
  for_type(q, [&]<class T>(T) {
    const Stack<T> x(operation, q), factors(operation, tau);
    std::vector<T> space;
    for (std::int64_t i = 0; i < x.count; ++i) {
      int info = 0;
      with_workspace(space, [&](T* work, const int* length) {
        routines<T>(operation).orgqr(&x.rows, &x.columns, &factors.columns, x.at(i), &x.rows,
                                     factors.at(i), work, length, &info);
      });
    }
  });
}

void svd(const char* operation, const ndarray& a, const ndarray& s, const ndarray& u,
         const ndarray& vt, const ndarray& info) {
  for_type(a, [&]<class T>(T) {
    const bool vectors = !u.is_none();
    const Stack<T> x(operation, a), values(operation, s);
    const Stack<T> left(operation, vectors ? u : a), right(operation, vectors ? vt : a);
    const char job = !vectors ? 'N' : left.columns == x.rows && right.rows == x.columns ? 'A' : 'S';
    std::vector<int> integers(static_cast<std::size_t>(8 * values.columns));
    std::vector<T> space;
    for (std::int64_t i = 0; i < x.count; ++i) {
      with_workspace(space, [&](T* work, const int* length) {
        routines<T>(operation).gesdd(&job, &x.rows, &x.columns, x.at(i), &x.rows, values.at(i),
                                     vectors ? left.at(i) : nullptr, &x.rows,
                                     vectors ? right.at(i) : nullptr, &right.rows, work, length,
                                     integers.data(), static_cast<int*>(info.data()) + i);
      });
    }
  });
}

void eigh(const char* operation, const ndarray& a, const ndarray& w, bool vectors, bool lower,
          const ndarray& info) {
  for_type(a, [&]<class T>(T) {
    const Stack<T> x(operation, a), values(operation, w);
    const char job = vectors ? 'V' : 'N', uplo = lower ? 'L' : 'U';
    int* infos = static_cast<int*>(info.data());
    std::vector<T> work(1);
    std::vector<int> integers(1);
    int length = -1, integer_length = -1;
    const auto call = [&](std::int64_t i) {
      routines<T>(operation).syevd(&job, &uplo, &x.rows, x.at(i), &x.rows, values.at(i),
                                   work.data(), &length, integers.data(), &integer_length,
                                   infos + i);
    };
    call(0);
    length = std::max(1, static_cast<int>(work[0]));
    integer_length = std::max(1, integers[0]);
    work.resize(static_cast<std::size_t>(length));
    integers.resize(static_cast<std::size_t>(integer_length));
    for (std::int64_t i = 0; i < x.count; ++i) call(i);
  });
}

}  // namespace cupyxx::internal::cpu
