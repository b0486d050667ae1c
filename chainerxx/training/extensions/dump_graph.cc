// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/dump_graph.h"

#include "chainerxx/computational_graph.h"
#include "chainerxx/training/trainer.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/whole_file.h"

namespace chainerxx::training::extensions {

DumpGraph::DumpGraph(std::string root_name, DumpGraphOptions options)
    : root_name_(std::move(root_name)), options_(std::move(options)) {
  const std::string& format = options_.format;
  if (format != "dot" && format != "svg" && format != "png" && format != "pdf") {
    throw cupyxx::ValueError(
        cupyxx::message("DumpGraph: the format is ", format, ", not dot, svg, png or pdf"));
  }
  if (options_.filename.empty()) options_.filename = "cg." + format;
}

void DumpGraph::initialize(Trainer& trainer) {
  if (trainer.is_before_training()) trainer.reporter().set_keeps_graphs(true);
}

void DumpGraph::operator()(Trainer& trainer) {
  trainer.reporter().set_keeps_graphs(false);
  const ReportedValue* root = trainer.observation().find(root_name_);
  if (root == nullptr || root->variable().is_none()) {
    throw cupyxx::ValueError(cupyxx::message("DumpGraph: no variable was reported as ", root_name_,
                                             "; there is ", trainer.observation().listed()));
  }
  cupyxx::extension::write_whole_file(
      "DumpGraph", trainer.out() + "/" + options_.filename,
      build_computational_graph({root->variable()}).dump(options_.format));
}

}  // namespace chainerxx::training::extensions
