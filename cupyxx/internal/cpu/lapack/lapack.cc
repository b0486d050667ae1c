// SPDX-License-Identifier: MIT
// One matrix after the other through OpenBLAS's LAPACK.
#include "cupyxx/internal/lapack.h"

#include <algorithm>
#include <climits>
#include <type_traits>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/blas/openblas.h"
#include "cupyxx/internal/cpu/lapack/workspace.h"

namespace cupyxx::internal::cpu {

namespace {

// A stack of matrices whose extents LAPACK can count.
template <class T>
struct Stack {
  Stack(const char* operation, const ndarray& a)
      : data(static_cast<T*>(a.elements())), count(a.shape()[0]) {
    const Shape shape = a.shape();
    for (int i = 1; i < shape.ndim(); ++i) {
      if (shape[i] <= INT_MAX) continue;
      throw ValueError(message(operation, ": the matrix is too large for LAPACK; ", shape));
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
constexpr bool kIsComplex = false;
template <class P>
constexpr bool kIsComplex<complex<P>> = true;

// The type of a number's parts.
template <class T>
struct PartOf {
  using type = T;
};
template <class P>
struct PartOf<complex<P>> {
  using type = P;
};
template <class T>
using Part = typename PartOf<T>::type;

template <class T>
const Lapack<T>& routines(const char* operation) {
  const OpenBlas& library = openblas(operation);
  if constexpr (std::is_same_v<T, float>) {
    return library.s;
  } else if constexpr (std::is_same_v<T, double>) {
    return library.d;
  } else if constexpr (std::is_same_v<T, complex<float>>) {
    return library.c;
  } else {
    return library.z;
  }
}

// Calls f with a value of the element type.
template <class F>
void for_type(const ndarray& a, F&& f) {
  switch (a.dtype().code()) {
    case dtype::Code::float32:
      return f(float());
    case dtype::Code::complex64:
      return f(complex<float>());
    case dtype::Code::complex128:
      return f(complex<double>());
    default:
      return f(double());
  }
}

// Calls a routine twice: for the size of its workspace, then with it.
template <class T, class Call>
void with_workspace(const char* operation, std::vector<T>& work, const Call& call) {
  if (work.empty()) {
    T size{};
    const int query = -1;
    call(&size, &query);
    work.resize(workspace_length(operation, size));
  }
  const int length = static_cast<int>(work.size());
  call(work.data(), &length);
}

}  // namespace

void check_info(const char* operation, const ndarray& info, LapackDefect defect) {
  for (const int found : info.span<int>()) {
    if (found == 0) continue;
    throw linalg::LinAlgError(message(operation, ": ", describe(defect), "; info ", found));
  }
}

// What LAPACK factors is a copy in the caches: of a matrix that lies row by row it sees the
// transposed one, whose determinant is the same, and whose factors solve for the matrix itself,
// too.
void lu_diagonals(const char* operation, const ndarray& a, const ndarray& diagonals,
                  const ndarray& pivots) {
  for_type(a, [&]<class T>(T) {
    const Stack<T> x(operation, a);
    const auto n = static_cast<std::size_t>(x.rows);
    std::vector<T> factors(n * n);
    std::vector<int> swaps(n);
    auto* diagonal = static_cast<T*>(diagonals.elements());
    auto* wide = static_cast<std::int64_t*>(pivots.elements());
    for (std::int64_t i = 0; i < x.count; ++i) {
      std::copy_n(x.at(i), n * n, factors.begin());
      int info = 0;  // a zero shows on the diagonal
      routines<T>(operation).getrf(&x.rows, &x.rows, factors.data(), &x.rows, swaps.data(), &info);
      for (std::size_t j = 0; j < n; ++j) *diagonal++ = factors[j * n + j];
      wide = std::copy(swaps.begin(), swaps.end(), wide);
    }
  });
}

namespace {

template <class T>
void transpose(const T* from, int rows, int columns, T* to) {
  for (std::ptrdiff_t i = 0; i < rows; ++i) {
    for (std::ptrdiff_t j = 0; j < columns; ++j) to[j * rows + i] = *from++;
  }
}

}  // namespace

void solve(const char* operation, const ndarray& a, const ndarray& b, const ndarray& x,
           const ndarray& info) {
  for_type(a, [&]<class T>(T) {
    const Stack<T> matrices(operation, a), sides(operation, b), results(operation, x);
    const int n = matrices.rows, columns = sides.rows;
    const auto size = static_cast<std::size_t>(n);
    std::vector<T> factors(size * size), side(size * static_cast<std::size_t>(columns));
    std::vector<int> swaps(size);
    int* found = static_cast<int*>(info.elements());
    for (std::int64_t i = 0; i < matrices.count; ++i, ++found) {
      std::copy_n(matrices.at(i), factors.size(), factors.begin());
      routines<T>(operation).getrf(&n, &n, factors.data(), &n, swaps.data(), found);
      if (*found != 0) continue;
      transpose(sides.at(i), n, columns, side.data());
      int bad_argument = 0;
      routines<T>(operation).getrs("T", &n, &columns, factors.data(), &n, swaps.data(), side.data(),
                                   &n, &bad_argument);
      transpose(side.data(), columns, n, results.at(i));
    }
  });
}

void invert(const char* operation, const ndarray& a, const ndarray& info) {
  for_type(a, [&]<class T>(T) {
    const Stack<T> x(operation, a);
    std::vector<int> swaps(static_cast<std::size_t>(x.rows));
    std::vector<T> space;
    int* found = static_cast<int*>(info.elements());
    for (std::int64_t i = 0; i < x.count; ++i, ++found) {
      routines<T>(operation).getrf(&x.rows, &x.rows, x.at(i), &x.rows, swaps.data(), found);
      if (*found != 0) continue;
      with_workspace(operation, space, [&](T* work, const int* length) {
        routines<T>(operation).getri(&x.rows, x.at(i), &x.rows, swaps.data(), work, length, found);
      });
    }
  });
}

namespace {

// Calls move(number in its row, number in its column) for a lower triangle that lies row by row in
// one place and column by column in another, in tiles that the caches hold.
template <class T, class Move>
void walk_triangle(T* rows, T* columns, std::int64_t n, Move move) {
  constexpr std::int64_t kTile = 16;
  for (std::int64_t i0 = 0; i0 < n; i0 += kTile) {
    for (std::int64_t j0 = 0; j0 <= i0; j0 += kTile) {
      for (std::int64_t i = i0; i < std::min(n, i0 + kTile); ++i) {
        const std::int64_t end = std::min(i + 1, j0 + kTile);
        for (std::int64_t j = j0; j < end; ++j) move(rows[i * n + j], columns[j * n + i]);
      }
    }
  }
}

}  // namespace

// OpenBLAS is a third slower with the upper triangle, which the lower one would be as it lies.
void cholesky(const char* operation, const ndarray& a, const ndarray& info) {
  for_type(a, [&]<class T>(T) {
    const Stack<T> x(operation, a);
    const std::int64_t n = x.rows;
    std::vector<T> factor(static_cast<std::size_t>(n * n));
    for (std::int64_t i = 0; i < x.count; ++i) {
      T* const matrix = x.at(i);
      walk_triangle(matrix, factor.data(), n, [](T& row, T& column) { column = row; });
      routines<T>(operation).potrf("L", &x.rows, factor.data(), &x.rows,
                                   static_cast<int*>(info.elements()) + i);
      walk_triangle(matrix, factor.data(), n, [](T& row, T& column) { row = column; });
      for (std::int64_t row = 0; row < n; ++row) {
        std::fill(matrix + row * n + row + 1, matrix + (row + 1) * n, T(0));
      }
    }
  });
}

void qr(const char* operation, const ndarray& a, const ndarray& tau) {
  for_type(a, [&]<class T>(T) {
    const Stack<T> x(operation, a), factors(operation, tau);
    std::vector<T> space;
    for (std::int64_t i = 0; i < x.count; ++i) {
      int info = 0;
      with_workspace(operation, space, [&](T* work, const int* length) {
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
      with_workspace(operation, space, [&](T* work, const int* length) {
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
    const Stack<T> x(operation, a);
    const Stack<Part<T>> values(operation, s);
    const Stack<T> left(operation, vectors ? u : a), right(operation, vectors ? vt : a);
    const char job = !vectors ? 'N' : left.columns == x.rows && right.rows == x.columns ? 'A' : 'S';
    const auto k = static_cast<std::size_t>(values.columns);
    const auto longer = static_cast<std::size_t>(std::max(x.rows, x.columns));
    std::vector<int> integers(8 * k);
    std::vector<Part<T>> reals(kIsComplex<T> ? k * std::max(5 * k + 7, 2 * longer + 2 * k + 1) : 0);
    std::vector<T> space;
    for (std::int64_t i = 0; i < x.count; ++i) {
      const auto call = [&](auto*... rest) {
        routines<T>(operation).gesdd(&job, &x.rows, &x.columns, x.at(i), &x.rows, values.at(i),
                                     vectors ? left.at(i) : nullptr, &x.rows,
                                     vectors ? right.at(i) : nullptr, &right.rows, rest...,
                                     integers.data(), static_cast<int*>(info.elements()) + i);
      };
      with_workspace(operation, space, [&](T* work, const int* length) {
        if constexpr (kIsComplex<T>) {
          call(work, length, reals.data());
        } else {
          call(work, length);
        }
      });
    }
  });
}

int least_squares(const char* operation, const ndarray& a, const ndarray& b, const ndarray& values,
                  double bound, const ndarray& info) {
  int rank = 0;
  for_type(a, [&]<class T>(T) {
    const Stack<T> x(operation, a), y(operation, b);
    const auto least = static_cast<Part<T>>(bound);
    std::vector<T> work(1);
    std::vector<Part<T>> reals(1);
    std::vector<int> integers(1);
    const auto call = [&](int length) {
      const auto run = [&](auto*... rest) {
        routines<T>(operation).gelsd(&x.rows, &x.columns, &y.columns, x.data, &x.rows, y.data,
                                     &y.rows, static_cast<Part<T>*>(values.elements()), &least,
                                     &rank, work.data(), &length, rest..., integers.data(),
                                     static_cast<int*>(info.elements()));
      };
      if constexpr (kIsComplex<T>) {
        run(reals.data());
      } else {
        run();
      }
    };
    call(-1);
    work.resize(workspace_length(operation, work[0]));
    reals.resize(workspace_length(operation, reals[0]));
    integers.resize(static_cast<std::size_t>(std::max(1, integers[0])));
    call(static_cast<int>(work.size()));
  });
  return rank;
}

void eigh(const char* operation, const ndarray& a, const ndarray& w, bool vectors, bool lower,
          const ndarray& info) {
  for_type(a, [&]<class T>(T) {
    const Stack<T> x(operation, a);
    const Stack<Part<T>> values(operation, w);
    const char job = vectors ? 'V' : 'N', uplo = lower ? 'L' : 'U';
    std::vector<T> work(1);
    std::vector<Part<T>> reals(1);
    std::vector<int> integers(1);
    int length = -1, real_length = -1, integer_length = -1;
    const auto call = [&](std::int64_t i) {
      int* found = static_cast<int*>(info.elements()) + i;
      if constexpr (kIsComplex<T>) {
        routines<T>(operation).syevd(&job, &uplo, &x.rows, x.at(i), &x.rows, values.at(i),
                                     work.data(), &length, reals.data(), &real_length,
                                     integers.data(), &integer_length, found);
      } else {
        routines<T>(operation).syevd(&job, &uplo, &x.rows, x.at(i), &x.rows, values.at(i),
                                     work.data(), &length, integers.data(), &integer_length, found);
      }
    };
    call(0);
    work.resize(workspace_length(operation, work[0]));
    reals.resize(workspace_length(operation, reals[0]));
    integers.resize(static_cast<std::size_t>(std::max(1, integers[0])));
    length = static_cast<int>(work.size());
    real_length = static_cast<int>(reals.size());
    integer_length = static_cast<int>(integers.size());
    for (std::int64_t i = 0; i < x.count; ++i) call(i);
  });
}

namespace {

// Real LAPACK gives the vectors of a pair of conjugate values as two columns: the real parts, and
// the imaginary parts of the first.
template <class T>
void join_pairs(const T* columns, const T* imaginary, std::int64_t n, complex<T>* out) {
  for (std::int64_t j = 0; j < n; ++j) {
    const T* re = columns + j * n;
    if (imaginary[j] == 0) {
      for (std::int64_t i = 0; i < n; ++i) out[j * n + i] = {re[i], 0};
      continue;
    }
    const T* im = re + n;
    for (std::int64_t i = 0; i < n; ++i) {
      out[j * n + i] = {re[i], im[i]};
      out[(j + 1) * n + i] = {re[i], -im[i]};
    }
    ++j;
  }
}

}  // namespace

void eig(const char* operation, const ndarray& a, const ndarray& w, const ndarray& vectors,
         const ndarray& info) {
  for_type(a, [&]<class T>(T) {
    using C = complex<Part<T>>;
    const Stack<T> x(operation, a);
    const Stack<C> values(operation, w);
    const bool wanted = !vectors.is_none();
    const Stack<C> columns(operation, wanted ? vectors : w);
    const char left = 'N', right = wanted ? 'V' : 'N';
    const int n = x.rows, one = 1;
    const auto size = static_cast<std::size_t>(n);
    std::vector<T> space, made(!kIsComplex<T> && wanted ? size * size : 0);
    std::vector<Part<T>> parts(2 * size);
    for (std::int64_t i = 0; i < x.count; ++i) {
      int* found = static_cast<int*>(info.elements()) + i;
      with_workspace(operation, space, [&](T* work, const int* length) {
        if constexpr (kIsComplex<T>) {
          routines<T>(operation).geev(&left, &right, &n, x.at(i), &n, values.at(i), nullptr, &one,
                                      wanted ? columns.at(i) : nullptr, &n, work, length,
                                      parts.data(), found);
        } else {
          routines<T>(operation).geev(&left, &right, &n, x.at(i), &n, parts.data(),
                                      parts.data() + n, nullptr, &one, made.data(), &n, work,
                                      length, found);
        }
      });
      if constexpr (!kIsComplex<T>) {
        for (int j = 0; j < n; ++j) values.at(i)[j] = {parts[j], parts[size + j]};
        if (wanted) join_pairs(made.data(), parts.data() + n, n, columns.at(i));
      }
    }
  });
}

}  // namespace cupyxx::internal::cpu
