// SPDX-License-Identifier: MIT
// Fourier transforms, and grids, which NumPy writes as indices: `mgrid[index]` is mgrid(index).
#include "conformance/array/routine.h"
#include "cupyxx/fft.h"
#include "cupyxx/indexing.h"
#include "cupyxx/message.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

using cp::fft::Norm;

Norm norm_of(const Bound& b) {
  const std::string name = b.text("norm", "backward");
  if (name == "backward") return Norm::backward;
  if (name == "ortho") return Norm::ortho;
  if (name == "forward") return Norm::forward;
  throw Missing(cupyxx::message("the norm '", name, "'"));
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::fft::Options&)>
Arrays along_one(const Bound& b) {
  cp::fft::Options options{.axis = b.integer("axis", -1), .norm = norm_of(b)};
  if (b.has("n")) options.n = b.integer("n");
  return {kFunction(b.array("a"), options)};
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::fft::OptionsN&)>
Arrays along_several(const Bound& b) {
  cp::fft::OptionsN options{.axes = b.axes("axes"), .norm = norm_of(b)};
  if (b.has("s")) options.s = b.shape("s");
  return {kFunction(b.array("a"), options)};
}

template <cp::ndarray (*kFunction)(cp::internal::Int64, double)>
Arrays frequencies(const Bound& b) {
  return {kFunction(b.integer("n"), b.number("d", 1))};
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::Axes&)>
Arrays shifted(const Bound& b) {
  return {kFunction(b.array("x"), b.axes("axes"))};
}

cp::GridRange range_of(const Value& value) {
  if (value.kind != Value::Kind::slice) throw Missing("a grid of something that is no slice");
  cp::GridRange range;
  if (value.range.start.given) range.start = value.range.start.value;
  if (value.range.stop.given) range.stop = value.range.stop.value;
  if (value.range.step.given) range.step = value.range.step.value;
  return range;
}

std::vector<cp::GridRange> ranges_of(const Value& index) {
  if (!index.is_list()) return {range_of(index)};
  std::vector<cp::GridRange> ranges;
  for (const Value& item : index.list) ranges.push_back(range_of(item));
  return ranges;
}

constexpr auto kOne = {"a", "n", "axis", "norm"};
constexpr auto kSeveral = {"a", "s", "axes", "norm"};

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::fft::Options&)>
Routine one() {
  return {{kOne.begin(), kOne.end()}, along_one<kFunction>};
}
template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::fft::OptionsN&)>
Routine several() {
  return {{kSeveral.begin(), kSeveral.end()}, along_several<kFunction>};
}

}  // namespace

Routines fft_routines() {
  namespace fft = cp::fft;
  return {
      {"fft.fft", one<fft::fft>()},
      {"fft.ifft", one<fft::ifft>()},
      {"fft.rfft", one<fft::rfft>()},
      {"fft.irfft", one<fft::irfft>()},
      {"fft.hfft", one<fft::hfft>()},
      {"fft.ihfft", one<fft::ihfft>()},
      {"fft.fftn", several<fft::fftn>()},
      {"fft.ifftn", several<fft::ifftn>()},
      {"fft.rfftn", several<fft::rfftn>()},
      {"fft.irfftn", several<fft::irfftn>()},
      {"fft.fft2", several<fft::fft2>()},
      {"fft.ifft2", several<fft::ifft2>()},
      {"fft.rfft2", several<fft::rfft2>()},
      {"fft.irfft2", several<fft::irfft2>()},
      {"fft.fftfreq", {{"n", "d"}, frequencies<fft::fftfreq>}},
      {"fft.rfftfreq", {{"n", "d"}, frequencies<fft::rfftfreq>}},
      {"fft.fftshift", {{"x", "axes"}, shifted<fft::fftshift>}},
      {"fft.ifftshift", {{"x", "axes"}, shifted<fft::ifftshift>}},
      {"mgrid",
       {{"index"}, [](const Bound& b) -> Arrays { return {cp::mgrid(ranges_of(b.at("index")))}; }}},
      {"ogrid",
       {{"index"}, [](const Bound& b) -> Arrays { return cp::ogrid(ranges_of(b.at("index"))); }}},
  };
}

}  // namespace conformance
