// SPDX-License-Identifier: MIT
#include "chainerxx/functions/normalization/batch_normalization.h"
#include "chainerxx/functions/normalization/batch_renormalization.h"
#include "chainerxx/functions/normalization/decorrelated_batch_normalization.h"
#include "chainerxx/functions/normalization/group_normalization.h"
#include "chainerxx/functions/normalization/layer_normalization.h"
#include "chainerxx/functions/normalization/local_response_normalization.h"
#include "chainerxx/functions/pooling/pooling_2d.h"
#include "chainerxx/functions/pooling/pooling_nd.h"
#include "chainerxx/functions/pooling/regions.h"
#include "chainerxx/functions/pooling/spatial_pyramid_pooling_2d.h"
#include "chainerxx/functions/pooling/window_elements.h"
#include "chainerxx/functions/testing/function_rows.h"
#include "cupyxx/creation.h"

namespace chainerxx::testing {

using V = Variables;
namespace F = functions;

namespace {

std::vector<FunctionRow> pooling() {
  const cupyxx::Shape s = {2, 2, 5, 4};
  return {
      {"max_pooling_2d", "MaxPooling2D max_pooling_2d", {s}, one([](const V& x) {
         return F::max_pooling_2d(x[0], 2);
       })},
      {"max_pooling_2d_with_indices", "max_pooling_2d_with_indices", {s}, one([](const V& x) {
         return F::max_pooling_2d_with_indices(x[0], 2).y;
       })},
      {"max_pooling_2d_overlapping", "max_pooling_2d", {s}, one([](const V& x) {
         return F::max_pooling_2d(x[0], {3, 2}, {.stride = {2, 1}, .pad = {1, 0}});
       })},
      {"max_pooling_2d_not_covering", "max_pooling_2d", {s}, one([](const V& x) {
         return F::max_pooling_2d(x[0], 3, {.stride = 2, .cover_all = false, .use_cudnn = false});
       })},
      {"average_pooling_2d", "AveragePooling2D average_pooling_2d", {s}, one([](const V& x) {
         return F::average_pooling_2d(x[0], 2);
       })},
      {"average_pooling_2d_padded", "average_pooling_2d", {s}, one([](const V& x) {
         return F::average_pooling_2d(x[0], 3, {.stride = 2, .pad = 1});
       })},
      {"average_pooling_2d_covering", "average_pooling_2d", {s}, one([](const V& x) {
         return F::average_pooling_2d(x[0], {3, 2},
                                      {.stride = {1, 3}, .cover_all = true, .use_cudnn = false});
       })},
      {"unpooling_2d", "Unpooling2D unpooling_2d", {{1, 2, 3, 2}}, one([](const V& x) {
         return F::unpooling_2d(x[0], 2);
       })},
      {"unpooling_2d_overlapping", "unpooling_2d", {{1, 2, 3, 2}}, one([](const V& x) {
         return F::unpooling_2d(x[0], 3, {.stride = 2, .pad = 1, .cover_all = false});
       })},
      {"unpooling_2d_of_given_size", "unpooling_2d", {{1, 2, 2, 2}}, one([](const V& x) {
         return F::unpooling_2d(x[0], 2, {.outsize = {4, 3}});
       })},
      {"spatial_pyramid_pooling_2d", "spatial_pyramid_pooling_2d", {s}, one([](const V& x) {
         return F::spatial_pyramid_pooling_2d(x[0], 2);
       })},
      {"spatial_pyramid_pooling_2d_averages",
       "spatial_pyramid_pooling_2d",
       {s},
       one([](const V& x) {
         return F::spatial_pyramid_pooling_2d<F::AveragePooling2D>(x[0], 2, false);
       })},
  };
}

std::vector<FunctionRow> pooling_nd() {
  const cupyxx::Shape line = {2, 2, 7}, volume = {1, 2, 4, 3, 3};
  return {
      {"max_pooling_1d", "max_pooling_1d", {line}, one([](const V& x) {
         return F::max_pooling_1d(x[0], 3, {.stride = 2, .pad = 1});
       })},
      {"max_pooling_3d", "max_pooling_3d", {volume}, one([](const V& x) {
         return F::max_pooling_3d(x[0], {2, 2, 1}, {.stride = {1, 2, 1}, .cover_all = false});
       })},
      {"max_pooling_nd", "max_pooling_nd", {{1, 2, 4, 5}}, one([](const V& x) {
         return F::max_pooling_nd(x[0], 2);
       })},
      {"average_pooling_1d", "average_pooling_1d", {line}, one([](const V& x) {
         return F::average_pooling_1d(x[0], 3, {.stride = 2, .pad = 1});
       })},
      {"average_pooling_3d", "average_pooling_3d", {volume}, one([](const V& x) {
         return F::average_pooling_3d(x[0], {2, 2, 1}, {.stride = {1, 2, 1}, .pad = {1, 0, 0}});
       })},
      {"average_pooling_nd", "average_pooling_nd", {{1, 1, 2, 2, 3, 2}}, one([](const V& x) {
         return F::average_pooling_nd(x[0], {2, 1, 2, 1}, {.stride = 1});
       })},
      {"unpooling_1d", "unpooling_1d", {{2, 2, 3}}, one([](const V& x) {
         return F::unpooling_1d(x[0], 3, {.stride = 2});
       })},
      {"unpooling_3d", "unpooling_3d", {{1, 2, 2, 1, 2}}, one([](const V& x) {
         return F::unpooling_3d(x[0], 2, {.outsize = {4, 2, 3}});
       })},
      {"unpooling_nd", "unpooling_nd", {{1, 2, 2, 2}}, one([](const V& x) {
         return F::unpooling_nd(x[0], 2, {.cover_all = false});
       })},
      {"global_average_pooling", "global_average_pooling", {volume}, one([](const V& x) {
         return F::global_average_pooling(x[0]);
       })},
  };
}

std::vector<FunctionRow> regions() {
  return {
      {"roi_pooling_2d", "roi_pooling_2d", {{2, 2, 5, 6}}, one([](const V& x) {
         const ndarray rois = cupyxx::array({{0, 0, 0, 7, 9}, {1, 4, 2, 11, 4}, {1, 9, 9, 30, 30}});
         return F::roi_pooling_2d(x[0], rois, 3, 2, 0.5);
       })},
      {"roi_average_align_2d", "roi_average_align_2d", {{2, 2, 5, 6}}, one([](const V& x) {
         const ndarray rois = cupyxx::array({{0.5, 1.0, 6.5, 9.0}, {-2.0, 3.0, 5.0, 12.5}});
         return F::roi_average_align_2d(x[0], rois, cupyxx::array({1, 0}), {2, 3}, 0.5);
       })},
      {"roi_max_pooling_2d", "roi_max_pooling_2d", {{2, 2, 5, 6}}, one([](const V& x) {
         const ndarray rois = cupyxx::array({{0, 0, 9, 7}, {2, 4, 4, 11}, {9, 9, 30, 30}});
         return F::roi_max_pooling_2d(x[0], rois, cupyxx::array({0, 1, 1}), {3, 2}, 0.5);
       })},
      {"roi_average_pooling_2d", "roi_average_pooling_2d", {{2, 2, 5, 6}}, one([](const V& x) {
         const ndarray rois = cupyxx::array({{0, 0, 9, 7}, {2, 4, 4, 11}, {9, 9, 30, 30}});
         return F::roi_average_pooling_2d(x[0], rois, cupyxx::array({0, 1, 1}), {3, 2}, 0.5);
       })},
      {"roi_max_align_2d", "roi_max_align_2d", {{2, 2, 5, 6}}, one([](const V& x) {
         const ndarray rois = cupyxx::array({{0.5, 1.0, 6.5, 9.0}, {-2.0, 3.0, 5.0, 12.5}});
         return F::roi_max_align_2d(x[0], rois, cupyxx::array({1, 0}), {2, 3}, 0.5);
       })},
      {"upsampling_2d", "upsampling_2d", {{1, 2, 2, 2}}, one([](const V& x) {
         const ndarray places = cupyxx::array({{{{0, 3}, {1, 2}}, {{2, 2}, {0, 1}}}});
         return F::upsampling_2d(x[0], places, 2, {.outsize = {4, 3}});
       })},
      {"im2col", "im2col", {{1, 2, 4, 5}}, one([](const V& x) {
         return F::im2col(x[0], {2, 3}, {.stride = {2, 1}, .pad = 1, .cover_all = true});
       })},
      {"im2col_beyond_the_end", "im2col", {{1, 2, 5, 5}}, one([](const V& x) {
         return F::im2col(x[0], 2, {.stride = 2, .cover_all = true, .dilate = {1, 2}});
       })},
  };
}

/// With statistics so far away that both corrections are at their limits, which do not depend on x.
Variable renormalized(const V& x, double mean) {
  const cupyxx::dtype type = x[1].is_none() ? cupyxx::float64 : x[1].dtype();
  return F::batch_renormalization(x[0], x[1], x[2], 1.5, 0.25,
                                  {.eps = 1e-3,
                                   .running_mean = cupyxx::full({3}, mean, type),
                                   .running_var = cupyxx::full({3}, 1e-3, type)});
}

std::vector<FunctionRow> normalization() {
  return {
      {"batch_normalization",
       "BatchNormalizationFunction batch_normalization",
       {{4, 3}, {3}, {3}},
       one([](const V& x) { return F::batch_normalization(x[0], x[1], x[2], {.eps = 1e-3}); })},
      {"batch_normalization_of_images",
       "batch_normalization",
       {{2, 3, 2, 2}, {3}, {3}},
       one([](const V& x) { return F::batch_normalization(x[0], x[1], x[2]); })},
      {"batch_normalization_per_element",
       "batch_normalization",
       {{4, 2, 2}, {2, 2}, {2, 2}},
       one([](const V& x) { return F::batch_normalization(x[0], x[1], x[2]); })},
      {"fixed_batch_normalization",
       "FixedBatchNormalization fixed_batch_normalization",
       {{4, 3}, {3}, {3}, {3}, {3}},
       one([](const V& x) {
         return F::fixed_batch_normalization(x[0], x[1], x[2], x[3], x[4], 1e-3);
       }),
       0.5,
       2},
      {"fixed_batch_normalization_of_images",
       "fixed_batch_normalization",
       {{2, 3, 2, 2}, {3}, {3}, {3}, {3}},
       one([](const V& x) { return F::fixed_batch_normalization(x[0], x[1], x[2], x[3], x[4]); }),
       0.5,
       2},
      {"batch_renormalization", "batch_renormalization", {{4, 3}, {3}, {3}}, one([](const V& x) {
         return renormalized(x, 5);
       })},
      {"batch_renormalization_of_images",
       "batch_renormalization",
       {{2, 3, 2, 2}, {3}, {3}},
       one([](const V& x) { return renormalized(x, -5); })},
      {"fixed_batch_renormalization",
       "fixed_batch_renormalization",
       {{4, 3}, {3}, {3}, {3}, {3}},
       one([](const V& x) {
         return F::fixed_batch_renormalization(x[0], x[1], x[2], x[3], x[4], 1e-3);
       }),
       0.5,
       2},
      {"decorrelated_batch_normalization",
       "decorrelated_batch_normalization",
       {{5, 2}},
       one([](const V& x) {
         return F::decorrelated_batch_normalization(x[0], {.groups = 1, .eps = 1e-2});
       })},
      {"decorrelated_batch_normalization_of_groups",
       "decorrelated_batch_normalization",
       {{2, 4, 3}},
       one([](const V& x) {
         return F::decorrelated_batch_normalization(x[0], {.groups = 2, .eps = 0.1});
       })},
      {"fixed_decorrelated_batch_normalization",
       "fixed_decorrelated_batch_normalization",
       {{2, 4, 3}, {2, 2}, {2, 2, 2}},
       one([](const V& x) {
         return F::fixed_decorrelated_batch_normalization(x[0], x[1], x[2], 2);
       })},
      {"group_normalization",
       "GroupNormalizationFunction group_normalization",
       {{2, 4, 3}, {4}, {4}},
       one([](const V& x) { return F::group_normalization(x[0], 2, x[1], x[2]); })},
      {"group_normalization_of_images",
       "group_normalization",
       {{2, 3, 2, 2}, {3}, {3}},
       one([](const V& x) { return F::group_normalization(x[0], 1, x[1], x[2], 1e-2); })},
      {"instance_normalization",
       "instance_normalization",
       {{2, 3, 2, 2}, {3}, {3}},
       one([](const V& x) { return F::instance_normalization(x[0], x[1], x[2], 1e-2); })},
      {"layer_normalization",
       "LayerNormalization layer_normalization",
       {{3, 4}, {4}, {4}},
       one([](const V& x) { return F::layer_normalization(x[0], x[1], x[2]); })},
      {"layer_normalization_of_images",
       "layer_normalization",
       {{2, 3, 2}, {3, 2}, {3, 2}},
       one([](const V& x) { return F::layer_normalization(x[0], x[1], x[2], 1e-2); })},
      {"add_layer_normalization",
       "AddLayerNormalization add_layer_normalization",
       {{3, 4}, {3, 4}, {4}, {4}},
       [](const V& x) {
         const auto [sum, y] = F::add_layer_normalization(x[0], x[1], x[2], x[3]);
         return Variables{sum, y};
       }},
      {"local_response_normalization",
       "LocalResponseNormalization local_response_normalization",
       {{2, 7, 2}},
       one([](const V& x) { return F::local_response_normalization(x[0]); })},
      {"local_response_normalization_strong",
       "local_response_normalization",
       {{2, 4, 2, 2}},
       one([](const V& x) {
         return F::local_response_normalization(x[0], {.n = 4, .k = 1, .alpha = 0.5, .beta = 0.6});
       })},
  };
}

}  // namespace

std::vector<FunctionRow> image_rows() {
  std::vector<FunctionRow> all = pooling();
  for (const auto family : {pooling_nd, regions, normalization}) {
    for (FunctionRow& row : family()) all.push_back(std::move(row));
  }
  return all;
}

}  // namespace chainerxx::testing
