// SPDX-License-Identifier: MIT
// Layers whose arrays the user has replaced, as loading by hand does: what does not fit is an
// error, and nothing outside of the arrays is read or written.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "chainerxx/functions/testing/function_rows.h"
#include "chainerxx/functions/testing/row_test.h"
#include "chainerxx/scope.h"
#include "cupyxx/constants.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::testing {
namespace {

using cupyxx::Shape;

/// An array amid memory that is NaN, so that what is read beside it shows.
struct Guarded {
  static constexpr std::int64_t kGuard = 4096;

  Guarded(const Shape& shape, cupyxx::dtype type, double value)
      : memory(cupyxx::full({2 * kGuard + shape.element_count()}, cupyxx::nan, type)),
        array(memory(cupyxx::slice(kGuard, kGuard + shape.element_count())).reshape(shape)) {
    array.fill(value);
  }
  bool is_intact() const {
    const ndarray outside = cupyxx::isnan(memory);
    return outside(cupyxx::slice(0, kGuard)).all() &&
           outside(cupyxx::slice(memory.size() - kGuard, cupyxx::none)).all();
  }

  ndarray memory, array;
};

/// Shapes that are not this one.
std::vector<Shape> others(const Shape& shape) {
  std::vector<Shape> result;
  for (int axis = 0; axis < shape.ndim(); ++axis) {
    for (const std::int64_t extent : {shape[axis] + 1, shape[axis] - 1, std::int64_t{1}}) {
      Shape other = shape;
      other[axis] = extent;
      if (extent > 0 && extent != shape[axis]) result.push_back(other);
    }
  }
  Shape less = shape, more = shape;
  if (shape.ndim() > 0) less.erase(0);
  more.insert(0, 1);
  if (shape.ndim() > 0) result.push_back(less);
  result.push_back(more);
  if (shape.ndim() > 1) result.emplace_back(Shape{shape.element_count()});
  return result;
}

/// What is replaced, and how the layer is called then.
enum class How { alone, with_gradient, not_recorded };

/// A GPU names what it found wrong in a call, an index beyond the array, at the next wait.
bool has_found_an_error() {
  try {
    cupyxx::zeros({1}).to_vector<double>();
    return false;
  } catch (const cupyxx::Error&) {
    return true;
  }
}

class ReplacedParametersTest : public LayerTest {
 protected:
  /// Forward and backward; false when that was an error of ours.
  bool runs(const Layer& layer, bool is_recorded, std::vector<ndarray>* results) {
    const Variables x = as_variables(draw_inputs());
    std::optional<NoGradScope> scope;
    if (!is_recorded) scope.emplace();
    bool is_right = true;
    try {
      const Variables y = layer.call(x);
      for (const Variable& each : y) {
        results->push_back(each.data());
        if (is_recorded) each.set_grad(cupyxx::ones_like(each.data()));
      }
      if (is_recorded) go_backward(y);
    } catch (const cupyxx::Error&) {
      is_right = false;
    }
    if (has_found_an_error() || !is_right) return false;
    for (const Variable& each : x) {
      if (!each.grad().is_none()) results->push_back(each.grad());
    }
    return true;
  }
};
CHAINERXX_TEST_ON_LAYERS(ReplacedParametersTest);

TEST_P(ReplacedParametersTest, NothingBesideThemIsReadOrWritten) {
  const std::size_t count = row().make(cupyxx::float64).fields.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Layer original = row().make(cupyxx::float64);
    const NamedField& like = original.fields[i];
    if (like.array->is_none()) continue;
    for (const Shape& shape : others(like.array->shape())) {
      for (const How how : {How::alone, How::with_gradient, How::not_recorded}) {
        const Layer layer = row().make(cupyxx::float64);
        const NamedField& field = layer.fields[i];
        const bool is_trained = field.gradient != nullptr && !field.gradient->is_none();
        if (how == How::with_gradient && !is_trained) continue;
        const Guarded array(shape, cupyxx::float64, 0.5);
        const Guarded gradient(
            how == How::with_gradient || !is_trained ? shape : field.gradient->shape(),
            cupyxx::float64, 0);
        *field.array = array.array;
        if (is_trained) *field.gradient = gradient.array;
        std::vector<ndarray> results;
        const bool ran = runs(layer, how != How::not_recorded, &results);
        const std::string what = cupyxx::message(field.name, " ", shape, " instead of ",
                                                 like.array->shape(), ", ", static_cast<int>(how));
        if (is_trained && how == How::alone) {
          EXPECT_FALSE(ran) << what;
        }
        // What a device has computed with an index that it found wrong says nothing.
        const bool is_open = !ran && array.array.device().is_cuda();
        if (is_open) results.clear();
        if (is_trained && !is_open) results.push_back(*field.gradient);
        for (const ndarray& result : results) EXPECT_TRUE(cupyxx::isfinite(result).all()) << what;
        EXPECT_TRUE(array.is_intact() && gradient.is_intact()) << what;
      }
    }
  }
}

TEST_P(ReplacedParametersTest, AnotherDtypeIsRefusedOrUsed) {
  const std::size_t count = row().make(cupyxx::float64).fields.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (const bool is_recorded : {false, true}) {
      const Layer layer = row().make(cupyxx::float64);
      const NamedField& field = layer.fields[i];
      if (field.array->is_none() || field.array->dtype() != cupyxx::float64) continue;
      const Guarded array(field.array->shape(), cupyxx::float32, 0.5);
      *field.array = array.array;
      std::vector<ndarray> results;
      const bool ran = runs(layer, is_recorded, &results);
      for (const ndarray& result : results) {
        EXPECT_TRUE(cupyxx::isfinite(result).all()) << field.name;
      }
      if (is_recorded && field.gradient != nullptr) {
        EXPECT_FALSE(ran) << field.name;
      }
    }
  }
}

/// The same numbers in another layout, amid NaN that no one may read or write.
struct Strided {
  Strided(const ndarray& values, int layout) {
    const Shape shape = values.shape();
    const std::int64_t step = layout == 2 ? -2 : 2;
    memory = cupyxx::full({2 * values.size() + 1}, cupyxx::nan, values.dtype());
    const ndarray line = step > 0 ? memory(cupyxx::slice(1, cupyxx::none, step))
                                  : memory(cupyxx::slice(-2, cupyxx::none, step));
    array = layout == 1 ? line.reshape(reversed(shape)).T() : line.reshape(shape);
    array.set(values);
  }
  static Shape reversed(const Shape& shape) {
    Shape result;
    for (int i = shape.ndim() - 1; i >= 0; --i) result.push_back(shape[i]);
    return result;
  }
  bool is_intact() const { return cupyxx::isnan(memory(cupyxx::slice(0, cupyxx::none, 2))).all(); }

  ndarray memory, array;
};

TEST_P(ReplacedParametersTest, ViewsOfAnyLayoutGiveTheSame) {
  const Variables x = as_variables(draw_inputs());
  const auto train = [&](const Layer& layer) {
    cupyxx::random::seed(3);
    const TrainScope training(true);
    std::vector<ndarray> results;
    const Variables y = layer.call(x);
    for (const Variable& each : y) {
      results.push_back(each.data());
      each.set_grad(cupyxx::ones_like(each.data()));
    }
    for (const Variable& each : x) each.cleargrad();
    go_backward(y);
    for (const Variable& each : x) {
      if (!each.grad().is_none()) results.push_back(each.grad().copy());
    }
    for (const NamedField& field : layer.fields) {
      for (const ndarray* a : {field.array, field.gradient}) {
        if (a != nullptr && !a->is_none()) results.push_back(a->copy());
      }
    }
    return results;
  };
  const std::vector<ndarray> expected = train(make());
  for (const int layout : {0, 1, 2}) {
    const Layer layer = make();
    std::vector<Strided> views;
    for (const NamedField& field : layer.fields) {
      for (ndarray* a : {field.array, field.gradient}) {
        if (a == nullptr || a->is_none() || a->size() == 0) continue;
        *a = views.emplace_back(*a, layout).array;
      }
    }
    const std::vector<ndarray> results = train(layer);
    ASSERT_EQ(results.size(), expected.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      EXPECT_TRUE(cupyxx::allclose(results[i], expected[i], {.rtol = 1e-9, .atol = 1e-9}))
          << "array " << i << ", layout " << layout;
    }
    for (const Strided& view : views) EXPECT_TRUE(view.is_intact()) << "layout " << layout;
  }
}

}  // namespace
}  // namespace chainerxx::testing
