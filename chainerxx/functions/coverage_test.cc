// SPDX-License-Identifier: MIT
// Every function in the public headers of chainerxx/functions stands in a row of functions/testing,
// whose gradients are checked, or in the list below with the reason why not.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "chainerxx/functions/testing/function_rows.h"

namespace chainerxx::testing {
namespace {

using Names = std::set<std::string>;

/// Public names without a gradient to check.
const Names& without_gradient() {
  static const Names names = {
      "Accuracy",               // counts
      "accuracy",               //
      "argmax",                 // places
      "argmin",                 //
      "BinaryAccuracy",         // counts
      "binary_accuracy",        //
      "ClassificationSummary",  //
      "classification_summary",
      "f1_score",              //
      "precision",             //
      "recall",                //
      "R2Score",               // compares
      "r2_score",              //
      "Extreme",               // bases of classes that have rows
      "FilterFunction",        //
      "FilterLayer",           //
      "FilterLayerND",         //
      "FilterLayerOfAxes",     //
      "NStepNetwork",          //
      "NStepProducts",         //
      "NStepRNN",              //
      "Spread",                //
      "SingularVector",        // the state of SpectralNormalization
      "standardized_filters",  // what WeightStandardization does to W: normalized_weights_test.cc
      "WeightsAndBias",        //
      "Pointwise",             //
      "create_huffman_tree",   // makes a tree
      "forget",                // runs any function; see util/forget_test.cc
      "pyramid_level",         // sizes of windows
      "pointwise_grad",        // what gradients of Pointwise share
      "pool_pyramid",          // spatial_pyramid_pooling_2d without its template
      "Tree",                  // no function of variables
      "pos",                   // gives its argument
  };
  return names;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Function classes, sets, and free functions that give variables, by themselves or as results with
/// names.
Names names_in(const std::string& header) {
  static const std::regex patterns[] = {
      std::regex(R"(class CUPYXX_API (\w+)(?: final)?\s*:\s*public)"),
      std::regex(
          R"(\n *CUPYXX_API (?:Variable|std::vector<Variable>|VariableArray<\d+>|\w+Result|PooledWithIndices)\s+(\w+)\()"),
      std::regex(R"(\n +Variable (spatial_\w+)\()"),
  };
  Names names;
  for (const std::regex& pattern : patterns) {
    for (std::sregex_iterator i(header.begin(), header.end(), pattern), end; i != end; ++i) {
      names.insert((*i)[1]);
    }
  }
  return names;
}

Names public_names() {
  Names names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("chainerxx/functions")) {
    const std::string path = entry.path().string();
    if (entry.path().extension() != ".h" || path.find("/testing/") != std::string::npos) continue;
    names.merge(names_in(read(entry.path())));
  }
  return names;
}

Names covered_names() {
  Names names;
  const auto add = [&](const std::string& covers) {
    std::istringstream words(covers);
    names.insert(std::istream_iterator<std::string>(words), {});
  };
  for (const FunctionRow& row : function_rows()) add(row.covers);
  for (const LayerRow& row : layer_rows()) add(row.covers);
  return names;
}

TEST(Coverage, HeadersAreRead) {
  const Names names = public_names();
  EXPECT_GT(names.size(), 140u);
  for (const char* name :
       {"ReLU", "relu", "split_axis", "lstm", "GRU", "Convolution2D", "add",
        "spatial_pyramid_pooling_2d", "scaled_dot_product_attention", "n_step_lstm"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(Coverage, EveryFunctionHasARow) {
  const Names covered = covered_names();
  for (const std::string& name : public_names()) {
    EXPECT_NE(covered.contains(name), without_gradient().contains(name))
        << name << " stands in "
        << (covered.contains(name) ? "both a row and the list of exceptions" : "no row");
  }
}

TEST(Coverage, EveryRowNamesPublicFunctions) {
  const Names names = public_names();
  for (const std::string& name : covered_names()) {
    EXPECT_TRUE(names.contains(name)) << name << " is in no header";
  }
}

TEST(Coverage, NamesOfRowsAreUnique) {
  Names rows, layers;
  for (const FunctionRow& row : function_rows())
    EXPECT_TRUE(rows.insert(row.name).second) << row.name;
  for (const LayerRow& row : layer_rows()) EXPECT_TRUE(layers.insert(row.name).second) << row.name;
}

}  // namespace
}  // namespace chainerxx::testing
