// SPDX-License-Identifier: MIT
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/array/images.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/array/rearranging.h"
#include "chainerxx/functions/array/sequences.h"
#include "chainerxx/functions/array/spatial_transformer.h"
#include "chainerxx/functions/testing/function_rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace chainerxx::testing {

using V = Variables;
namespace F = functions;

namespace {

/// true in rows 0 and 2 of four.
ndarray condition() { return cupyxx::expand_dims(cupyxx::equal(four_labels(), 2), 1); }

std::vector<FunctionRow> images() {
  const cupyxx::Shape s = {1, 2, 3, 4};
  return {
      {"resize_images", "resize_images", {s}, one([](const V& x) {
         return F::resize_images(x[0], {5, 3});
       })},
      {"resize_images_borders", "resize_images", {s}, one([](const V& x) {
         return F::resize_images(x[0], {2, 7}, {.align_corners = false});
       })},
      {"resize_images_nearest",
       "resize_images",
       {s},
       one([](const V& x) {
         return F::resize_images(x[0], {5, 3}, {.mode = F::ResizeMode::nearest});
       }),
       -1,
       1,
       kAnyDtype},
      {"depth2space",
       "depth2space",
       {{2, 8, 2, 3}},
       one([](const V& x) { return F::depth2space(x[0], 2); }),
       -1,
       1,
       kAnyDtype},
      {"space2depth",
       "space2depth",
       {{2, 2, 4, 6}},
       one([](const V& x) { return F::space2depth(x[0], 2); }),
       -1,
       1,
       kAnyDtype},
      {"diagonal",
       "diagonal",
       {{3, 4, 2}},
       one([](const V& x) { return F::diagonal(x[0], 1); }),
       -1,
       1,
       kAnyDtype},
      {"diagonal_below",
       "diagonal",
       {{3, 2, 3}},
       one([](const V& x) { return F::diagonal(x[0], -1, -1, 0); }),
       -1,
       1,
       kAnyDtype},
      {"spatial_transformer_sampler",
       "spatial_transformer_sampler",
       {{2, 2, 3, 4}, {2, 2, 2, 3}},
       one([](const V& x) { return F::spatial_transformer_sampler(x[0], x[1]); }),
       -1.5,
       1.5},
      {"spatial_transformer_grid", "spatial_transformer_grid", {{2, 2, 3}}, one([](const V& x) {
         return F::spatial_transformer_grid(x[0], {2, 4});
       })},
      {"pad_sequence",
       "pad_sequence",
       {{2, 3}, {1, 3}},
       one([](const V& x) { return F::pad_sequence(x, 3, 0.5); }),
       -1,
       1,
       kAnyDtype},
      {"transpose_sequence",
       "transpose_sequence",
       {{3, 2}, {2, 2}},
       [](const V& x) { return F::transpose_sequence(x); },
       -1,
       1,
       kAnyDtype},
      {"separate",
       "separate",
       {{2, 3}},
       [](const V& x) { return F::separate(x[0], -1); },
       -1,
       1,
       kAnyDtype},
      {"scatter_add", "scatter_add", {{4, 3}, {2, 3}}, one([](const V& x) {
         return F::scatter_add(x[0], {cupyxx::array({2, 2})}, x[1]);
       })},
      {"scatter_add_to_a_slice", "scatter_add", {{4, 3}, {3}}, one([](const V& x) {
         return F::scatter_add(x[0], {cupyxx::slice(1, cupyxx::none, 2)}, x[1]);
       })},
  };
}

std::vector<FunctionRow> rearranging() {
  return {
      {"moveaxis",
       "moveaxis",
       {{2, 3, 4}},
       one([](const V& x) { return F::moveaxis(x[0], 0, -1); }),
       -1,
       1,
       kAnyDtype},
      {"moveaxis_several",
       "moveaxis",
       {{2, 3, 4}},
       one([](const V& x) {
         return F::moveaxis(x[0], {0, 1}, {-1, 0});
       }),
       -1,
       1,
       kAnyDtype},
      {"rollaxis",
       "rollaxis",
       {{2, 3, 4}},
       one([](const V& x) { return F::rollaxis(x[0], 2); }),
       -1,
       1,
       kAnyDtype},
      {"rollaxis_to_end",
       "rollaxis",
       {{2, 3, 4}},
       one([](const V& x) { return F::rollaxis(x[0], 0, 3); }),
       -1,
       1,
       kAnyDtype},
      {"flip",
       "flip",
       {{2, 3}},
       one([](const V& x) { return F::flip(x[0], 1); }),
       -1,
       1,
       kAnyDtype},
      {"flip_all",
       "flip",
       {{2, 3}},
       one([](const V& x) { return F::flip(x[0]); }),
       -1,
       1,
       kAnyDtype},
      {"fliplr",
       "fliplr",
       {{2, 3}},
       one([](const V& x) { return F::fliplr(x[0]); }),
       -1,
       1,
       kAnyDtype},
      {"flipud",
       "flipud",
       {{2, 3}},
       one([](const V& x) { return F::flipud(x[0]); }),
       -1,
       1,
       kAnyDtype},
      {"repeat",
       "repeat",
       {{2, 3}},
       one([](const V& x) { return F::repeat(x[0], 2, 1); }),
       -1,
       1,
       kAnyDtype},
      {"repeat_flat",
       "repeat",
       {{2, 3}},
       one([](const V& x) { return F::repeat(x[0], 3); }),
       -1,
       1,
       kAnyDtype},
      {"permutate",
       "permutate",
       {{3, 2}},
       one([](const V& x) {
         return F::permutate(x[0], cupyxx::array({2, 0, 1}));
       }),
       -1,
       1,
       kAnyDtype},
      {"permutate_back",
       "permutate",
       {{2, 3}},
       one([](const V& x) {
         return F::permutate(x[0], cupyxx::array({2, 0, 1}), -1, true);
       }),
       -1,
       1,
       kAnyDtype},
      {"hstack",
       "hstack",
       {{2, 3}, {2, 1}},
       one([](const V& x) { return F::hstack(x); }),
       -1,
       1,
       kAnyDtype},
      {"hstack_vectors",
       "hstack",
       {{2}, {3}},
       one([](const V& x) { return F::hstack(x); }),
       -1,
       1,
       kAnyDtype},
      {"vstack",
       "vstack",
       {{2, 3}, {3}},
       one([](const V& x) { return F::vstack(x); }),
       -1,
       1,
       kAnyDtype},
      {"dstack",
       "dstack",
       {{2, 3}, {2, 3}},
       one([](const V& x) { return F::dstack(x); }),
       -1,
       1,
       kAnyDtype},
      {"dstack_vectors",
       "dstack",
       {{3}, {3}},
       one([](const V& x) { return F::dstack(x); }),
       -1,
       1,
       kAnyDtype},
  };
}

std::vector<FunctionRow> rows() {
  return {
      {"reshape", "Reshape reshape", {{2, 3, 4}}, one([](const V& x) {
         return F::reshape(x[0], {-1, 2});
       })},
      {"concat", "Concat concat", {{2, 3}, {2, 1}, {2, 3}}, one([](const V& x) {
         return F::concat(x);
       })},
      {"concat_one", "concat", {{2, 3}}, one([](const V& x) { return F::concat(x); })},
      {"concat_first", "concat", {{2, 3}, {1, 3}}, one([](const V& x) {
         return F::concat(x, -2);
       })},
      {"identity", "Identity identity", {{3}}, one([](const V& x) { return F::identity(x[0]); })},
      {"identity_of_two", "identity", {{3}, {2, 2}}, [](const V& x) { return F::identity(x); }},
      {"transpose", "Transpose transpose", {{2, 3, 4}}, one([](const V& x) {
         return F::transpose(x[0]);
       })},
      {"transpose_axes", "transpose", {{2, 3, 4}}, one([](const V& x) {
         return F::transpose(x[0], {1, -1, 0});
       })},
      {"swapaxes", "Swapaxes swapaxes", {{2, 3, 4}}, one([](const V& x) {
         return F::swapaxes(x[0], 0, -1);
       })},
      {"expand_dims", "ExpandDims expand_dims", {{2, 3}}, one([](const V& x) {
         return F::expand_dims(x[0], -1);
       })},
      {"expand_dims_first", "expand_dims", {{2, 3}}, one([](const V& x) {
         return F::expand_dims(x[0], 0);
       })},
      {"squeeze", "Squeeze squeeze", {{2, 1, 3}}, one([](const V& x) {
         return F::squeeze(x[0], 1);
       })},
      {"squeeze_all", "squeeze", {{1, 2, 1, 3}}, one([](const V& x) { return F::squeeze(x[0]); })},
      {"flatten", "flatten", {{2, 3}}, one([](const V& x) { return F::flatten(x[0]); })},
      {"copy", "Copy copy", {{2, 3}}, one([](const V& x) {
         return F::copy(x[0], x[0].is_none() ? cupyxx::Device::cpu() : x[0].device());
       })},
      {"broadcast",
       "Broadcast broadcast",
       {{3, 1}, {1, 4}, {4}},
       [](const V& x) {
         return F::broadcast({x[0], x[1], x[2]});
       }},
      {"broadcast_first_only",
       "broadcast",
       {{3, 1}, {1, 4}},
       [](const V& x) {
         return V{F::broadcast({x[0], x[1]})[0]};
       }},
      {"broadcast_to", "BroadcastTo broadcast_to", {{3, 1}}, one([](const V& x) {
         return F::broadcast_to(x[0], {2, 3, 4});
       })},
      {"tile", "Tile tile", {{2, 3}}, one([](const V& x) {
         return F::tile(x[0], {2, 1, 3});
       })},
      {"tile_last", "tile", {{2, 3}}, one([](const V& x) { return F::tile(x[0], {2}); })},
      {"pad", "Pad pad", {{2, 3}}, one([](const V& x) {
         return F::pad(x[0], {{1, 0}, {2, 1}}, 0.5);
       })},
      {"pad_all", "pad", {{2, 3}}, one([](const V& x) { return F::pad(x[0], 1); })},
      {"split_axis",
       "SplitAxis split_axis",
       {{4, 3}},
       [](const V& x) { return F::split_axis(x[0], 2, 0); }},
      {"split_axis_one",
       "split_axis",
       {{4, 3}},
       [](const V& x) { return F::split_axis(x[0], 1, 0); }},
      {"split_axis_places",
       "split_axis",
       {{2, 5}},
       [](const V& x) {
         return F::split_axis(x[0], {1, 3}, -1);
       }},
      {"split_axis_unused",
       "split_axis",
       {{2, 5}},
       [](const V& x) {
         return V{F::split_axis(x[0], {1, 3}, 1)[1]};
       }},
      {"stack", "Stack stack", {{2, 3}, {2, 3}}, one([](const V& x) { return F::stack(x, 1); })},
      {"stack_last", "stack", {{2, 3}, {2, 3}}, one([](const V& x) { return F::stack(x, -1); })},
      {"get_item_slices", "GetItem get_item", {{4, 3}}, one([](const V& x) {
         return F::get_item(x[0], {cupyxx::slice(0, cupyxx::none, 2), cupyxx::newaxis, -1});
       })},
      {"get_item_reversed", "get_item", {{4, 3}}, one([](const V& x) {
         return F::get_item(x[0], {cupyxx::slice(cupyxx::none, cupyxx::none, -1)});
       })},
      {"get_item_repeated", "get_item", {{4, 3}}, one([](const V& x) {
         return F::get_item(x[0], {four_labels()});
       })},
      {"get_item_mask", "get_item", {{4, 3}}, one([](const V& x) {
         return F::get_item(x[0], {cupyxx::equal(four_labels(), 2)});
       })},
      {"where", "Where where", {{4, 3}, {3}}, one([](const V& x) {
         return F::where(condition(), x[0], x[1]);
       })},
  };
}

}  // namespace

std::vector<FunctionRow> array_rows() {
  std::vector<FunctionRow> all = rows();
  for (FunctionRow& row : all) {
    row.traits = kAnyDtype;
    if (row.covers.find("roadcast") != std::string::npos) row.traits |= kMixedDtypes;
    if (row.name == "broadcast_first_only") row.traits |= kFirstInputOnly;
    if (row.covers.find("identity") != std::string::npos) {
      row.traits |= kMixedDtypes | kMixedDevices;
    }
  }
  for (FunctionRow& row : rearranging()) all.push_back(std::move(row));
  all.push_back({"select_item",
                 "SelectItem select_item",
                 {{4, 3}},
                 one([](const V& x) { return F::select_item(x[0], four_labels()); }),
                 -1,
                 1,
                 kAnyDtype});
  for (FunctionRow& row : images()) all.push_back(std::move(row));
  all.push_back({"cast", "Cast cast", {{2, 3}}, one([](const V& x) {
                   const Variable wide = F::Cast(cupyxx::float64)(x[0]);
                   return F::cast(wide, x[0].dtype());
                 })});
  return all;
}

}  // namespace chainerxx::testing
