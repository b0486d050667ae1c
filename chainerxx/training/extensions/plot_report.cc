// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/plot_report.h"

#include <algorithm>

#include "chainerxx/training/chart.h"
#include "chainerxx/training/extensions/missing_keys.h"
#include "chainerxx/training/extensions/picture_name.h"
#include "chainerxx/training/trainer.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/whole_file.h"
#include "cupyxx/scalar.h"

namespace chainerxx::training::extensions {
namespace {

constexpr const char* kColours[] = {"#1f77b4", "#d95f02", "#2ca02c", "#9467bd",
                                    "#8c564b", "#e377c2", "#7f7f7f", "#17becf"};

constexpr double kMostSteps = 0x1p53;  // each of which differs from the next

}  // namespace

PlotReport::PlotReport(std::vector<std::string> y_keys, PlotReportOptions options)
    : keys_(std::move(y_keys)), options_(std::move(options)), points_(keys_.size()) {
  if (keys_.empty()) throw cupyxx::ValueError("PlotReport: no keys");
  if (options_.x_key != "iteration" && options_.x_key != "epoch") {
    throw cupyxx::ValueError(cupyxx::message("PlotReport: x_key is ", options_.x_key,
                                             R"(, not "iteration" or "epoch")"));
  }
  internal::check_picture_name("PlotReport", options_.filename);
}

void PlotReport::operator()(Trainer& trainer) {
  summary_.add(trainer.observation(), keys_);
  if (!options_.trigger(trainer)) return;
  const Updater& updater = trainer.updater();
  const double at =
      options_.x_key == "epoch" ? updater.epoch_detail() : static_cast<double>(updater.iteration());
  ChartPanel panel;
  double first = at;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (summary_.contains(keys_[i])) points_[i].emplace_back(at, summary_.mean(keys_[i]));
    if (!points_[i].empty()) first = std::min(first, points_[i][0].first);
    panel.series.push_back({keys_[i], kColours[i % std::size(kColours)], points_[i]});
    if (options_.title.empty()) panel.title += (i == 0 ? "" : ", ") + keys_[i];
  }
  if (!has_looked_) {
    has_looked_ = true;
    internal::warn_of_missing_keys(
        "PlotReport", keys_,
        [&](const std::string& key) {  // now, or before a training that goes on
          const auto i = std::find(keys_.begin(), keys_.end(), key) - keys_.begin();
          return !points_[static_cast<std::size_t>(i)].empty();
        },
        trainer.observation().listed());
  }
  summary_.clear();
  if (!options_.title.empty()) panel.title = options_.title;
  const ChartPanel panels[] = {std::move(panel)};
  cupyxx::extension::write_whole_file(
      "PlotReport", trainer.out() + "/" + options_.filename,
      chart_svg(panels, {.x_label = options_.x_key, .x_first = first, .x_last = at}));
}

void PlotReport::serialize(const Serializer& s) {
  options_.trigger.serialize(s["_trigger"]);
  summary_.serialize(s["_summary"]);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    std::vector<double> flat;
    for (const auto& [x, y] : points_[i]) flat.insert(flat.end(), {x, y});
    const std::string name = cupyxx::message("_plot_", keys_[i]);
    s(name, flat);
    if (flat.size() % 2 != 0) s.refuse(name, cupyxx::message("has ", flat.size(), " values"));
    for (std::size_t j = 0; j < flat.size(); j += 2) {
      if (!(flat[j] >= 0 && flat[j] <= kMostSteps)) {
        s.refuse(name, cupyxx::message("has a point at ", cupyxx::Scalar(flat[j])));
      }
    }
    if (!s.commits()) continue;
    points_[i].clear();
    for (std::size_t j = 0; j + 1 < flat.size(); j += 2)
      points_[i].emplace_back(flat[j], flat[j + 1]);
  }
}

}  // namespace chainerxx::training::extensions
