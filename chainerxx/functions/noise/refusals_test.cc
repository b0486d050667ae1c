// SPDX-License-Identifier: MIT
// What the functions of this folder refuse, and how they say it.
#include "chainerxx/functions/testing/refusals.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "chainerxx/functions/noise/dropout.h"
#include "chainerxx/functions/noise/gaussian.h"
#include "chainerxx/functions/noise/gumbel_softmax.h"
#include "chainerxx/functions/noise/zoneout.h"
#include "cupyxx/creation.h"
#include "cupyxx/testing/devices.h"

namespace chainerxx::testing {
namespace {

namespace F = functions;

class NoiseRefusalsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(NoiseRefusalsTest);

TEST_P(NoiseRefusalsTest, Noise) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refusals({
      {"dropout of everything", [] { F::dropout(f32({2}), 1.0); }, "ValueError",
       "dropout: the ratio is outside of [0, 1); 1.0"},
      {"dropout with a negative ratio", [] { F::dropout(f32({2}), -0.1); }, "ValueError",
       "dropout: the ratio is outside of [0, 1); -0.1"},
      {"dropout with no number", [=] { F::dropout(f32({2}), nan); }, "ValueError",
       "dropout: the ratio is outside of [0, 1); nan"},
      {"dropout of integers", [] { F::dropout(i32({2}), 0.5); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"dropout of two",
       [] {
         F::Dropout().call(std::vector<Variable>{f32({2}), f32({2})});
       },
       "InvalidType", "Expect: in_types.size == 1\nActual: 2 != 1"},
      {"dropout by a mask of another shape",
       [] {
         F::Dropout(0.5, cupyxx::ones({3, 2}, cupyxx::float32))(f32({2}));
       },
       "ShapeError", "dropout: the mask is not like the input; (3, 2) float32 and (2,) float32"},
      {"dropout by a mask of another dtype", [] { F::Dropout(0.5, cupyxx::ones({2}))(f32({2})); },
       "DtypeError", "dropout: the mask is not like the input; (2,) float64 and (2,) float32"},
      {"gaussian of integers", [] { F::gaussian(i32({2}), i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"gaussian of other dtypes", [] { F::gaussian(f32({2}), f64({2})); }, "InvalidType",
       "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float64"},
      {"gaussian of other shapes", [] { F::gaussian(f32({2}), f32({3})); }, "InvalidType",
       "Expect: in_types[0].shape == in_types[1].shape\nActual: (2,) != (3,)"},
      {"gaussian of one", [] { F::Gaussian().call(std::vector<Variable>{f32({2})}); },
       "InvalidType", "Expect: in_types.size == 2\nActual: 1 != 2"},
      {"gaussian of noise of another shape",
       [] {
         F::Gaussian(cupyxx::ones({3, 2}, cupyxx::float32))(f32({2}), f32({2}));
       },
       "ShapeError", "gaussian: eps is not like the input; (3, 2) float32 and (2,) float32"},
      {"gaussian of noise of another dtype",
       [] { F::Gaussian(cupyxx::ones({2}))(f32({2}), f32({2})); }, "DtypeError",
       "gaussian: eps is not like the input; (2,) float64 and (2,) float32"},
  });
}

TEST_P(NoiseRefusalsTest, Zoneout) {
  const Variable x = f32({2, 3});
  expect_refusals({
      {"zoneout of other shapes",
       [=] {
         F::zoneout(x, f32({3, 2}));
       },
       "ShapeError", "zoneout: the shapes differ; (2, 3) and (3, 2)"},
      {"gumbel_softmax at rest", [=] { F::gumbel_softmax(x, 0); }, "ValueError",
       "gumbel_softmax: tau is not positive; 0.0"},
      {"zoneout of all", [=] { F::zoneout(x, x, 1); }, "ValueError",
       "zoneout: the ratio is not in [0, 1); 1.0"},
      {"simplified_dropconnect of another width",
       [=] {
         F::simplified_dropconnect(x, f32({4, 2}));
       },
       "ShapeError", "simplified_dropconnect: shapes do not fit; (2, 3), (4, 2)"},
      {"simplified_dropconnect of another bias",
       [=] {
         F::simplified_dropconnect(x, f32({4, 3}), f32({3}));
       },
       "ShapeError", "simplified_dropconnect: shapes do not fit; (2, 3), (4, 3) and (3,)"},
      {"simplified_dropconnect of less than nothing",
       [=] {
         F::simplified_dropconnect(x, f32({4, 3}), nullptr, -1);
       },
       "ValueError", "simplified_dropconnect: the ratio is not in [0, 1); -1.0"},
  });
}

}  // namespace
}  // namespace chainerxx::testing
