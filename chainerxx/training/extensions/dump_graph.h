// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "chainerxx/training/extension.h"

namespace chainerxx::training::extensions {

/// Options of DumpGraph.
struct DumpGraphOptions {
  std::string filename = {};   ///< in the trainer's folder; unless given "cg.dot", or "cg.svg"
  std::string format = "dot";  ///< "dot", or what graphviz makes of it: "svg", "png", "pdf"
};

/// A drawing of the graph behind a reported variable, such as "main/loss", at the first step.
class CUPYXX_API DumpGraph final : public Extension {
 public:
  /// Throws ValueError for another format.
  explicit DumpGraph(std::string root_name, DumpGraphOptions options = {});
  /// Writes the drawing. Throws ValueError where no variable was reported under the name, IOError
  /// where graphviz is wanted and not installed.
  void operator()(Trainer& trainer) override;
  std::string default_name() const override { return "DumpGraph"; }
  TriggerArg default_trigger() const override { return OnceTrigger(); }
  /// Lets variables keep their graphs until the first drawing.
  void initialize(Trainer& trainer) override;

 private:
  std::string root_name_;
  DumpGraphOptions options_;
};

/// The same by Chainer's older name.
inline DumpGraph dump_graph(std::string root_name, DumpGraphOptions options = {}) {
  return DumpGraph(std::move(root_name), std::move(options));
}

}  // namespace chainerxx::training::extensions
