// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/variable_statistics_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "chainerxx/training/chart.h"
#include "chainerxx/training/extensions/picture_name.h"
#include "chainerxx/training/trainer.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/whole_file.h"
#include "cupyxx/scalar.h"

namespace chainerxx::training::extensions {
namespace {

constexpr const char* kColours[] = {"#1f77b4", "#9ecae1", "#6baed6", "#2171b5", "#6baed6",
                                    "#9ecae1", "#8c564b", "#7f7f7f", "#17becf"};
constexpr double kMostSteps = 0x1p53;  // each of which differs from the next

/// Linear between the two nearest, as NumPy's percentile.
double percentile_of(const std::vector<double>& sorted, double percent) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double at = percent / 100 * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::string percent_name(double percent) { return cupyxx::message(cupyxx::Scalar(percent), " %"); }

}  // namespace

VariableStatisticsPlot::VariableStatisticsPlot(FunctionSet& model,
                                               VariableStatisticsPlotOptions options)
    : model_(&model), options_(std::move(options)) {
  if (!options_.report_data && !options_.report_grad) {
    throw cupyxx::ValueError("VariableStatisticsPlot: neither data nor gradients are to be drawn");
  }
  if (!options_.plot_mean && !options_.plot_std && options_.percentiles.empty()) {
    throw cupyxx::ValueError("VariableStatisticsPlot: no curve is to be drawn");
  }
  if (options_.max_sample_size < 1) {
    throw cupyxx::ValueError(cupyxx::message("VariableStatisticsPlot: a sample of ",
                                             options_.max_sample_size, " elements"));
  }
  for (const double percent : options_.percentiles) {
    if (percent >= 0 && percent <= 100) continue;
    throw cupyxx::ValueError(cupyxx::message("VariableStatisticsPlot: a percentile of ",
                                             cupyxx::Scalar(percent), ", not in [0, 100]"));
  }
  for (std::size_t i = 0; i < options_.percentiles.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (percent_name(options_.percentiles[i]) != percent_name(options_.percentiles[k])) continue;
      throw cupyxx::ValueError(cupyxx::message("VariableStatisticsPlot: two percentiles of ",
                                               cupyxx::Scalar(options_.percentiles[i])));
    }
  }
  internal::check_picture_name("VariableStatisticsPlot", options_.filename);
  std::vector<Curve> curves;
  if (options_.plot_mean) curves.push_back({"mean", {}});
  for (const double percent : options_.percentiles) curves.push_back({percent_name(percent), {}});
  if (options_.plot_std) curves.push_back({"std", {}});
  if (options_.report_data) data_ = curves;
  if (options_.report_grad) grad_ = std::move(curves);
}

void VariableStatisticsPlot::add(std::int64_t iteration, std::vector<Curve>& curves,
                                 bool gradients) {
  std::vector<double> all;
  for (const NamedField& field : model_->fields()) {
    if (field.gradient == nullptr) continue;
    const ndarray& array = gradients ? *field.gradient : *field.array;
    if (array.is_none() || array.size() == 0) continue;
    const std::vector<double> values = array.to_vector<double>();
    all.insert(all.end(), values.begin(), values.end());
  }
  const auto count = static_cast<double>(all.size());
  double mean = 0, square = 0;
  for (const double value : all) mean += value / count;
  for (const double value : all) square += (value - mean) * (value - mean) / count;
  if (all.empty()) mean = square = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sample;
  const bool is_finite = std::isfinite(mean) && std::isfinite(square);
  const auto most = static_cast<std::size_t>(options_.max_sample_size);
  const std::size_t taken = is_finite ? std::min(all.size(), most) : 0;
  for (std::size_t i = 0; i < taken; ++i) sample.push_back(all[i * all.size() / taken]);
  std::sort(sample.begin(), sample.end());
  std::vector<double> values;
  if (options_.plot_mean) values.push_back(mean);
  for (const double percent : options_.percentiles) {
    values.push_back(percentile_of(sample, percent));
  }
  if (options_.plot_std) values.push_back(std::sqrt(square));
  for (std::size_t i = 0; i < curves.size(); ++i) {
    curves[i].points.emplace_back(static_cast<double>(iteration), values[i]);
  }
}

void VariableStatisticsPlot::operator()(Trainer& trainer) {
  if (!options_.trigger(trainer)) return;
  const std::int64_t iteration = trainer.updater().iteration();
  if (options_.report_data) add(iteration, data_, false);
  if (options_.report_grad) add(iteration, grad_, true);
  std::vector<ChartPanel> panels;
  double first = static_cast<double>(iteration);
  for (const bool gradients : {false, true}) {
    const std::vector<Curve>& curves = gradients ? grad_ : data_;
    if (curves.empty()) continue;
    const std::string what = gradients ? "gradients" : "parameters";
    ChartPanel values, deviation;
    values.title = what;
    deviation.title = what + ", standard deviation";
    for (std::size_t i = 0; i < curves.size(); ++i) {
      const bool is_std = curves[i].name == "std";
      first = std::min(first, curves[i].points[0].first);
      (is_std ? deviation : values)
          .series.push_back({curves[i].name, is_std ? "#d95f02" : kColours[i % std::size(kColours)],
                             curves[i].points});
    }
    if (!values.series.empty()) panels.push_back(std::move(values));
    if (!deviation.series.empty()) panels.push_back(std::move(deviation));
  }
  cupyxx::extension::write_whole_file(
      "VariableStatisticsPlot", trainer.out() + "/" + options_.filename,
      chart_svg(
          panels,
          {.x_label = "iteration", .x_first = first, .x_last = static_cast<double>(iteration)}));
}

void VariableStatisticsPlot::serialize(const Serializer& s) {
  options_.trigger.serialize(s["_trigger"]);
  for (const bool gradients : {false, true}) {
    for (Curve& curve : gradients ? grad_ : data_) {
      const std::string name = cupyxx::message(gradients ? "_grad_" : "_data_", curve.name);
      std::vector<double> flat;
      for (const auto& [x, y] : curve.points) flat.insert(flat.end(), {x, y});
      s(name, flat);
      if (flat.size() % 2 != 0) s.refuse(name, cupyxx::message("has ", flat.size(), " values"));
      for (std::size_t i = 0; i < flat.size(); i += 2) {
        if (flat[i] >= 0 && flat[i] <= kMostSteps) continue;
        s.refuse(name, cupyxx::message("has a point at ", cupyxx::Scalar(flat[i])));
      }
      if (!s.commits()) continue;
      curve.points.clear();
      for (std::size_t i = 0; i + 1 < flat.size(); i += 2) {
        curve.points.emplace_back(flat[i], flat[i + 1]);
      }
    }
  }
}

}  // namespace chainerxx::training::extensions
