#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the calls of every public function of variables with drawn arguments, and of every function class:
chainerxx/testing/wild draws them.

    tools/wild_rows_chainerxx.py OUTDIR PARTS

Reads the headers of functions and those of docs/reference/chainerxx.md; one that is neither read nor named in HEADERS with
its reason is an error, and so is a function or a class that no row calls and SKIPPED does not name.
"""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from headers import declarations, parameters, segments, stripped
from wild import called_names, drawn_types, emit, parameter, passed, structs_of, with_holes

# Headers without functions of variables.
HEADERS = {
    "functions/activation/activation_arg.h": "an argument of layers", "argument_kinds.h": "concepts", "axes_arg.h": "arguments of the others", "backward_options.h": "arguments of the others",
    "capture.h": "records C++ functions",
    "configuration.h": "as scope.h", "function_hook.h": "sees functions of others", "function_hooks/function_hooks.h": "as function_hook.h",
    "cuda.h": "devices, and cupyxx's routines under Chainer's names",
    "function.h": "the base of the classes below",
    "chain_list.h": "sets of C++ objects", "function_set.h": "sets of C++ objects",
    "functions/caffe/caffe_function.h": "reads files: chainerxx/fuzz",
    "functions/caffe/layers.h": "not public", "functions/caffe/network_file.h": "not public",
    "functions/connection/convolution_gradients.h": "not public", "functions/connection/filter_frame.h": "not public",
    "functions/connection/filters.h": "not public", "functions/connection/fused_attention.h": "not public", "functions/loss/ctc_composed.h": "not public",
    "functions/connection/normalized_weights.h": "sets around layers",
    "functions/connection/recurrent_state.h": "not public",
    "functions/loss/reduced.h": "not public", "functions/loss/sampled_gradients.h": "not public", "functions/pooling/window_functions.h": "not public",
    "functions/util/other_function_names.h": "says what to write", "initializers.h": "arguments of layers", "input_size.h": "an argument of layers",
    "parameter_array.h": "arrays of layers", "parameter_functions.h": "functions of them", "parameter_lists.h": "functions of them", "parameter_results.h": "what they give", "parameter_term.h": "arithmetic of them", "set_parameter.h": "as function_set.h",
    "method_functions.h": "declares what stands in other headers", "start_of_bias.h": "an argument of layers",
    "optimizer.h": "works on sets of C++ objects",
    "optimizers/ada_bound.h": "as optimizer.h", "optimizers/ada_delta.h": "as optimizer.h", "optimizers/ada_grad.h": "as optimizer.h", "optimizers/adam.h": "as optimizer.h",
    "optimizers/adam_w.h": "as optimizer.h", "optimizers/adamax.h": "as optimizer.h", "optimizers/ams_grad.h": "as optimizer.h", "optimizers/r_adam.h": "as optimizer.h",
    "optimizers/corrected_momentum_sgd.h": "as optimizer.h",
    "optimizers/lamb.h": "as optimizer.h", "optimizers/lars.h": "as optimizer.h",
    "optimizers/hooks.h": "as optimizer.h", "optimizers/momentum_sgd.h": "as optimizer.h", "optimizers/msvag.h": "as optimizer.h",
    "optimizers/nesterov_ag.h": "as optimizer.h", "optimizers/rms_prop.h": "as optimizer.h",
    "optimizers/rms_prop_graves.h": "as optimizer.h", "optimizers/schedules.h": "C++ numbers",
    "optimizers/sgd.h": "as optimizer.h", "optimizers/smorms3.h": "as optimizer.h",
    "parameter_group.h": "as optimizer.h",
    "scope.h": "modes of the thread under the driver",
    "sequential.h": "sets of C++ objects",
    "serializers.h": "reads files: chainerxx/fuzz",
    "utils/size_2d.h": "arguments of the others",
    "variable.h": "its operators and methods are rows below, or functions",
    "other_calls.h": "loops of C++, and what to write",
}
# Functions and classes that no row calls.
SKIPPED = {
    "Copy": "the driver chooses devices", "Extreme": "a base", "Spread": "a base", "FilterFunction": "a base", "FilterLayer": "a base",
    "FilterLayerND": "a base", "FilterLayerOfAxes": "a base", "WeightsAndBias": "a base", "NStepNetwork": "a base", "NStepProducts": "a base", "NStepRNN": "a base",
    "NStepBiLSTM": "as NStepLSTM", "NStepBiGRU": "as NStepGRU", "NStepRNNTanh": "as NStepBiRNNTanh",
    "NStepRNNReLU": "as NStepBiRNNReLU", "n_step_bilstm": "as n_step_lstm", "n_step_gru": "as n_step_bigru",
    "n_step_birnn": "as n_step_rnn", "unpack": "of a number known when it is compiled",
}
# What a function takes, as Draw::plan has it: arrays, and behind a bar the numbers of a constructor. Without a line all
# arrays have the shape of the call.
PLANS = {
    "tree_lstm": "nu n4u", "slstm": "nu nu n4u n4u", "negative_sampling": "nc n#v vc nk#v", "black_out": "nc n#v vc nk#v", "decov": "nc",
    "discriminative_margin_based_clustering_loss": "nchw nhw#c",
    "batch_renormalization": "nchw c c", "fixed_batch_renormalization": "nchw c c c c", "BatchRenormalization": "nchw | c",
    "local_convolution_2d": "nchw ohwcij ohw", "deformable_convolution_2d_sampler": "nchw n2hw ocij o",
    "fft": "nc nc", "ifft": "nc nc", "FourierTransform": "nc nc",
    "maxout": "n4c", "lstm": "nu n4u", "LSTM": "nu n4u", "prelu": "nchw c", "PReLU": "nchw", "PReLUFunction": "nchw c",
    "linear": "nc oc o", "LinearFunction": "nc oc o", "Linear": "nc | co",
    "Bilinear": "nl nr | lro", "bilinear": "nl nr lro lo ro o", "crf1d": "kk nk n#k",
    "convolution_2d": "nchw ocij o", "Convolution2D": "nchw | co", "DilatedConvolution2D": "nchw | co", "Convolution2DFunction": "nchw ocij o",
    "deconvolution_2d": "nchw coij o", "Deconvolution2D": "nchw | co", "Deconvolution2DFunction": "nchw coij o",
    "embed_id": "nk#v vo", "EmbedID": "nk#v | vo", "EmbedIDFunction": "nk#v vo", "embedding_dropout": "vo",
    "scale": "nchw c", "Scale": "nchw",
    "LSTMSequence": "tnc nu nu | cu",
    "scaled_dot_product_attention": "bqd bkd bkv",
    "permutate": "nc n#n", "select_item": "nc n#c", "SelectItem": "nc n#c", "where": "nc? nc nc", "Where": "nc? nc nc",
    "accuracy": "nc n#c", "Accuracy": "nc n#c", "binary_accuracy": "nc nc#2", "BinaryAccuracy": "nc nc#2",
    "classification_summary": "nc n#c", "ClassificationSummary": "nc n#c", "precision": "nc n#c", "recall": "nc n#c",
    "f1_score": "nc n#c", "R2Score": "* *",
    "connectionist_temporal_classification": "nc nl#c", "ConnectionistTemporalClassification": "nl#c nc nc nc",
    "hinge": "nc n#c", "Hinge": "nc n#c",
    "softmax_cross_entropy": "nc n#c", "SoftmaxCrossEntropy": "nc n#c",
    "sigmoid_cross_entropy": "nc nc#2", "SigmoidCrossEntropy": "nc nc#2",
    "cross_covariance": "nc nd", "CrossCovariance": "nc nd", "contrastive": "nc nc n#2",
    "cosine_similarity": "nc nc", "cosine_embedding_loss": "nc nc n#2",
    "triplet": "nc nc nc", "BinaryHierarchicalSoftmax": "nc n#3 | c", "NegativeSampling": "nc n#3 | c",
    "matmul": "nk km", "MatMul": "nk km", "batch_matmul": "bnk bkm", "BatchMatMul": "bnk bkm",
    "batch_normalization": "nchw c c", "BatchNormalizationFunction": "nchw c c", "BatchNormalization": "nchw | c",
    "decorrelated_batch_normalization": "nchw", "fixed_decorrelated_batch_normalization": "nchw c c",
    "fixed_batch_normalization": "nchw c c c c", "FixedBatchNormalization": "nchw c c c c",
    "add_layer_normalization": "nc nc c c", "AddLayerNormalization": "nc nc c c",
    "layer_normalization": "nc c c", "LayerNormalization": "nc c c",
    "local_response_normalization": "nchw", "LocalResponseNormalization": "nchw",
    "max_pooling_2d": "nchw", "MaxPooling2D": "nchw", "average_pooling_2d": "nchw", "AveragePooling2D": "nchw",
    "unpooling_2d": "nchw", "Unpooling2D": "nchw", "spatial_pyramid_pooling_2d": "nchw",
    "im2col": "nchw", "col2im": "ncijhw",
    "convolution_nd": "nchw ocij o", "convolution_1d": "ncl ocj o", "convolution_3d": "ncdhw ocijk o",
    "deconvolution_nd": "nchw coij o", "deconvolution_1d": "ncl coj o", "deconvolution_3d": "ncdhw coijk o",
    "Convolution1D": "ncl | co", "Convolution3D": "ncdhw | co", "Deconvolution1D": "ncl | co", "Deconvolution3D": "ncdhw | co",
    "ConvolutionND": "nchw", "DeconvolutionND": "nchw",
    "max_pooling_nd": "ncdhw", "max_pooling_1d": "ncl", "max_pooling_3d": "ncdhw", "average_pooling_nd": "ncdhw",
    "average_pooling_1d": "ncl", "average_pooling_3d": "ncdhw", "unpooling_nd": "ncdhw", "unpooling_1d": "ncl",
    "unpooling_3d": "ncdhw", "global_average_pooling": "nchw", "roi_pooling_2d": "nchw", "roi_average_align_2d": "nchw",
    "roi_max_pooling_2d": "nchw", "roi_average_pooling_2d": "nchw", "roi_max_align_2d": "nchw",
    "max_pooling_2d_with_indices": "nchw", "upsampling_2d": "nchw", "resize_images": "nchw", "depth2space": "nchw",
    "space2depth": "nchw", "group_normalization": "nchw c c", "instance_normalization": "nchw c c",
    "GroupNormalizationFunction": "nchw c c", "tensordot": "ncd cdk", "einsum": "nk", "inv": "kk", "batch_inv": "nkk",
    "det": "kk", "batch_det": "nkk", "cholesky": "nkk", "bias": "nchw c", "zoneout": "nc nc", "linear_interpolate": "nc nc nc",
    "depthwise_convolution_2d": "nchw mcij k", "dilated_convolution_2d": "nchw ocij o",
    "spatial_transformer_sampler": "nchw n2hw", "spatial_transformer_grid": "nct",
    "simplified_dropconnect": "nc oc o", "pad_sequence": "nc", "transpose_sequence": "nc",
    "Broadcast": "* *", "Identity": "* *", "Concat": "* * *", "Stack": "* * *", "HuberLoss": "* *", "MeanSquaredError": "* *",
    "Maximum": "* *", "Minimum": "* *", "Gaussian": "* *", "Inception": "nchw | c", "InceptionBN": "nchw | c",
}

# Parameters of which the type says too little.
DRAWN = {"pyramid_height": "Levels"}

# Forms that no declaration shows.
OPERATORS = ["+", "-", "*", "/"]
V = "Variable"
EXTRA = [("x %s y" % o, [V, V], "x0 %s x1" % o, "*") for o in OPERATORS + ["<", "<=", ">", ">="]]
EXTRA += [("x %s number" % o, [V, "cupyxx::Scalar"], "x0 %s x1" % o, "*") for o in OPERATORS]
EXTRA += [("number %s x" % o, ["cupyxx::Scalar", V], "x0 %s x1" % o, "*") for o in OPERATORS]
EXTRA += [("x %s= y" % o, [V, V], "x0 %s= x1" % o, "*") for o in OPERATORS]
EXTRA += [("%sx" % o, [V], "%sx0" % o, "*") for o in "-+"]
EXTRA += [
    ("x(index, index)", [V, "cupyxx::Index", "cupyxx::Index"], "x0(x1, x2)", "*"),
    ("x(mask)", [V, V], "x0(x1)", "* *"),
    ("x.T().reshape(shape)", [V, "cupyxx::Shape"], "x0.T().reshape(x1)", "*"),
    ("std::cout << x", [V], "printed(x0)", "*"),
    ("x.item(), x.label(), x.len()", [V], "facts_of(x0)", "*"),
    ("x.set_data(array)", [V, "ndarray"], "x0.set_data(x1)", "*"),
    ("x.set_grad(array)", [V, "ndarray"], "x0.set_grad(x1)", "*"),
    ("x.set_grad_var(y)", [V, V], "x0.set_grad_var(x1)", "* *"),
    ("GRU(in, units)(h, x)", ["std::int64_t", "std::int64_t", V, V],
     "of_set(d, a, functions::GRU(x0, x1), [](auto& set, auto& v) { return set(pass(std::get<2>(v)), pass(std::get<3>(v))); })",
     "nu nc | cu"),
    ("n_step_lstm(layers, ratio, hx, cx, ws, bs, xs)", ["double", V, V, V, V, V, "std::vector<Variable>"],
     "functions::n_step_lstm(layers_of(x1), x0, x1, x2, weights_of(x1, {x3, x3, x3, x3, x4, x4, x4, x4}), "
     "weights_of(x1, {x5, x5, x5, x5, x5, x5, x5, x5}), x6).ys", "lnu lnu uc uu u nc"),
    ("n_step_bigru(layers, ratio, hx, ws, bs, xs)", ["double", V, V, V, V, "std::vector<Variable>"],
     "functions::n_step_bigru(layers_of(x1) / 2, x0, x1, weights_of(x1, {x2, x2, x2, x3, x3, x3}), weights_of(x1, {x4, x4, x4, x4, x4, x4}), x5).ys",
     "2lnu uc uu u nc"),
    ("n_step_rnn(layers, ratio, hx, ws, bs, xs)", ["double", V, V, V, V, "std::vector<Variable>"],
     "functions::n_step_rnn(layers_of(x1), x0, x1, weights_of(x1, {x2, x3}), weights_of(x1, {x4, x4}), x5).ys", "lnu uc uu u nc"),
    ("Highway(size)(x)", ["std::int64_t", V],
     "of_set(d, a, functions::Highway(x0), [](auto& set, auto& v) { return set(pass(std::get<1>(v))); })", "nc | c"),
    ("CRF1d(labels)(xs, ys)", ["std::int64_t", "std::vector<Variable>", "std::vector<Variable>"],
     "of_set(d, a, functions::CRF1d(x0), [](auto& set, auto& v) { return set(pass(std::get<1>(v)), pass(std::get<2>(v))); })",
     "nc n#c | c"),
    ("Maxout(in, out, pool)(x)", ["std::int64_t", "std::int64_t", V],
     "of_set(d, a, functions::Maxout(x0, x1, 2), [](auto& set, auto& v) { return set(pass(std::get<2>(v))); })", "nc | cu"),
    ("StatefulLSTM(in, units)(x)", ["std::int64_t", "std::int64_t", V],
     "of_set(d, a, functions::StatefulLSTM(x0, x1), [](auto& set, auto& v) { set(pass(std::get<2>(v))); return set(pass(std::get<2>(v))); })",
     "nc | cu"),
    ("StatelessLSTM(in, units)(c, h, x)", ["std::int64_t", "std::int64_t", V, V, V],
     "of_set(d, a, functions::StatelessLSTM(x0, x1), [](auto& set, auto& v) { return set(pass(std::get<2>(v)), pass(std::get<3>(v)), pass(std::get<4>(v))); })",
     "nu nu nc | cu"),
    ("StatefulGRU(in, units)(x)", ["std::int64_t", "std::int64_t", V],
     "of_set(d, a, functions::StatefulGRU(x0, x1), [](auto& set, auto& v) { set(pass(std::get<2>(v))); return set(pass(std::get<2>(v))); })",
     "nc | cu"),
    ("StatelessMGU(in, units)(h, x)", ["std::int64_t", "std::int64_t", V, V],
     "of_set(d, a, functions::StatelessMGU(x0, x1), [](auto& set, auto& v) { return set(pass(std::get<2>(v)), pass(std::get<3>(v))); })",
     "nu nc | cu"),
    ("StatefulMGU(in, units)(x)", ["std::int64_t", "std::int64_t", V],
     "of_set(d, a, functions::StatefulMGU(x0, x1), [](auto& set, auto& v) { set(pass(std::get<2>(v))); return set(pass(std::get<2>(v))); })",
     "nc | cu"),
    ("StatefulZoneoutLSTM(in, units)(x, train)", ["std::int64_t", "std::int64_t", V, "bool"],
     "of_set(d, a, functions::StatefulZoneoutLSTM(x0, x1), "
     "[](auto& set, auto& v) { set(pass(std::get<2>(v))); return set(pass(std::get<2>(v)), pass(std::get<3>(v))); })", "nc | cu"),
    ("ChildSumTreeLSTM(in, units)(cs, hs, x)", ["std::int64_t", "std::int64_t", "std::vector<Variable>", "std::vector<Variable>", V],
     "of_set(d, a, functions::ChildSumTreeLSTM(x0, x1), "
     "[](auto& set, auto& v) { return set(pass(std::get<2>(v)), pass(std::get<3>(v)), pass(std::get<4>(v))); })", "nu nu nc | cu"),
    ("NaryTreeLSTM(in, units)(cs, hs, x)", ["std::int64_t", "std::int64_t", "std::vector<Variable>", "std::vector<Variable>", V],
     "of_set(d, a, functions::NaryTreeLSTM(x0, x1), "
     "[](auto& set, auto& v) { return set(pass(std::get<2>(v)), pass(std::get<3>(v)), pass(std::get<4>(v))); })", "nu nu nc | cu"),
    ("Bias(axis, shape)(x)", ["int", "cupyxx::Shape", V],
     "of_set(d, a, functions::Bias(x0, x1), [](auto& set, auto& v) { return set(pass(std::get<2>(v))); })", "nc"),
    ("SimplifiedDropconnect(in, out)(x, train)", ["std::int64_t", "std::int64_t", V, "bool"],
     "of_set(d, a, functions::SimplifiedDropconnect(x0, x1), [](auto& set, auto& v) { return set(pass(std::get<2>(v)), pass(std::get<3>(v))); })",
     "nc | co"),
    ("DepthwiseConvolution2D(in, multiplier, ...)(x)", ["std::int64_t", "std::int64_t", "Size2D", "Size2D", "Size2D", V],
     "of_set(d, a, functions::DepthwiseConvolution2D(x0, x1, x2, x3, x4), [](auto& set, auto& v) { return set(pass(std::get<5>(v))); })",
     "nchw | co"),
    ("LocalConvolution2D(in, out, ...)(x)", ["std::int64_t", "std::int64_t", "Size2D", "Size2D", "Size2D", V],
     "of_set(d, a, functions::LocalConvolution2D(x0, x1, x2, x3, x4), [](auto& set, auto& v) { return set(pass(std::get<5>(v))); })",
     "nchw | co"),
    ("DeformableConvolution2D(in, out, ...)(x)", ["std::int64_t", "std::int64_t", "Size2D", "Size2D", "Size2D", V],
     "of_set(d, a, functions::DeformableConvolution2D(x0, x1, x2, x3, x4), [](auto& set, auto& v) { return set(pass(std::get<5>(v))); })",
     "nchw | co"),
    ("MLPConvolution2D(in, {out, out}, ...)(x)", ["std::int64_t", "std::int64_t", "Size2D", "Size2D", "Size2D", V],
     "of_set(d, a, functions::MLPConvolution2D(x0, {x1, x1}, x2, x3, x4), [](auto& set, auto& v) { return set(pass(std::get<5>(v))); })",
     "nchw | co"),
    ("BlackOut(in, counts, samples)(x, t)", ["std::int64_t", V, V],
     "of_set(d, a, functions::BlackOut(x0, {1, 2, 3}, 2), [](auto& set, auto& v) { return set(pass(std::get<1>(v)), pass(std::get<2>(v))); })",
     "nc n#3 | c"),
    ("StatefulPeepholeLSTM(in, units)(x)", ["std::int64_t", "std::int64_t", V],
     "of_set(d, a, functions::StatefulPeepholeLSTM(x0, x1), [](auto& set, auto& v) { set(pass(std::get<2>(v))); return set(pass(std::get<2>(v))); })",
     "nc | cu"),
    ("NStepLSTM(layers, in, units)(none, none, xs)", ["std::int64_t", "std::int64_t", "std::vector<Variable>"],
     "of_set(d, a, functions::NStepLSTM(2, x0, x1), [](auto& set, auto& v) { return set(nullptr, nullptr, pass(std::get<2>(v))).ys; })",
     "nc | cu"),
] + [
    ("%s(layers, in, units)(none, xs)" % network, ["std::int64_t", "std::int64_t", "std::vector<Variable>"],
     "of_set(d, a, functions::%s(1, x0, x1), [](auto& set, auto& v) { return set(nullptr, pass(std::get<2>(v))).ys; })" % network,
     "nc | cu") for network in ["NStepGRU", "NStepBiRNNTanh", "NStepBiRNNReLU"]
] + [
    ("FeedForward(units, hidden)(x)", ["std::int64_t", "std::int64_t", V],
     "of_set(d, a, functions::FeedForward(x0, x1), [](auto& set, auto& v) { return set(pass(std::get<2>(v))); })", "ntc | cu"),
    ("MultiHeadAttention(units, heads)(x)", ["std::int64_t", "std::int64_t", V],
     "of_set(d, a, functions::MultiHeadAttention(x0, x1), [](auto& set, auto& v) { return set(pass(std::get<2>(v))); })",
     "ntc | ch"),
    ("Inception(...)(x)", ["std::array<std::int64_t, 7>", V],
     "of_set(d, a, functions::Inception(x0[0], x0[1], x0[2], x0[3], x0[4], x0[5], x0[6]), "
     "[](auto& set, auto& v) { return set(pass(std::get<1>(v))); })", "nchw | cooooooo"),
    ("InceptionBN(...)(x, mode)", ["std::array<std::int64_t, 6>", "Pooling", "std::optional<std::int64_t>", "std::int64_t", V,
                                   "functions::BatchNormalization::Mode"],
     "of_set(d, a, functions::InceptionBN(x0[0], x0[1], x0[2], x0[3], x0[4], x0[5], x1, x2, x3), "
     "[](auto& set, auto& v) { return set(pass(std::get<4>(v)), pass(std::get<5>(v))); })", "nchw | coooooo"),
    ("BatchNormalization(size)(x, mode)", ["std::int64_t", "functions::BatchNormalizationLayerOptions", V,
                                           "functions::BatchNormalization::Mode"],
     "of_layer(d, a, functions::BatchNormalization(x0, x1), [](auto& f, auto& v) { return f(pass(std::get<2>(v)), pass(std::get<3>(v))); })",
     "nchw | c"),
    ("BatchNormalization(size).relu(x, mode)", ["std::int64_t", "functions::BatchNormalizationLayerOptions", V,
                                                "functions::BatchNormalization::Mode"],
     "of_layer(d, a, functions::BatchNormalization(x0, x1), [](auto& f, auto& v) { return f.relu(pass(std::get<2>(v)), pass(std::get<3>(v))); })",
     "nchw | c"),
    ("BatchNormalization(size).add_relu(x, y, mode)", ["std::int64_t", "functions::BatchNormalizationLayerOptions", V, V,
                                                       "functions::BatchNormalization::Mode"],
     "of_layer(d, a, functions::BatchNormalization(x0, x1), "
     "[](auto& f, auto& v) { return f.add_relu(pass(std::get<2>(v)), pass(std::get<3>(v)), pass(std::get<4>(v))); })", "nchw nchw | c"),
    ("Parameter(array)()", ["ndarray", "bool"],
     "of_layer(d, a, functions::Parameter(x0), [](auto& f, auto& v) { return f(pass(std::get<1>(v))) * 2; })", "*"),
    ("forget(fn, x, y)", [V, V],
     "functions::forget([](const Variable& x, const Variable& y) { return functions::tanh(x * y) + y; }, x0, x1)", "* *"),
    ("forget(fn, xs)", ["std::vector<Variable>"],
     "functions::forget([](const std::vector<Variable>& xs) { return functions::broadcast(xs); }, x0)", "*"),
    ("build_computational_graph(outputs).dump()", ["std::vector<Variable>", "bool"],
     "build_computational_graph({functions::concat(x0) * 2}, x1).dump()", "nc"),
    ("grad(outputs, inputs, options)", ["std::vector<Variable>", "GradOptions"],
     "grad({functions::concat(x0) * 2}, x0, x1)", "nc"),
    ("x.unchain_backward()", [V], "unchained(x0)", "*"),
    ("WalkerAlias(probs).sample(shape)", ["std::vector<double>", "cupyxx::Shape"],
     "(cupyxx::current_device().is_cpu() ? utils::WalkerAlias(x0) : utils::WalkerAlias(x0).to_gpu()).sample(x1)", "*"),
]


def class_bodies(text):
    """(name, bases, body) of each class of functions."""
    for match in re.finditer(r"\bclass CUPYXX_API (\w+)(?: final)?\s*:\s*public ([^{]*)\{", text):
        depth, end = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        yield match.group(1), match.group(2), text[match.end():end - 1]


def constructors(name, body, bodies):
    """(parameters, head of the template) of each public constructor, those that are inherited from one of `bodies` included."""
    base = re.search(r"using (\w+)<[^;]*>::\1;", body)
    inherited = constructors(base[1], bodies[base[1]], bodies) if base else []
    body = body.split("private:")[0].split("protected:")[0]
    found = []
    for match in re.finditer(r"(?<![\w~:])%s\(" % name, body):
        before = body[:match.start()]
        # Not what one constructor delegates to.
        if re.search(r"\)\s*:\s*$", before):
            continue
        depth, end = 1, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(body[end], 0)
            end += 1
        declaration = before[max(before.rfind(c) for c in ";}") + 1:]
        head = re.search(r"template <(.*?)>\s*(?:requires\s*\(.*\)\s*)?(?:explicit\s*)?$", " ".join(declaration.split()))
        # Comments that stand for names are gone; a parameter may have none.
        found.append((parameters(" ".join(body[match.end():end - 1].split())), head.group(1) if head else ""))
    return inherited + found or [([], "")]


def planned(name):
    arrays, _, numbers = PLANS.get(name, "* * *").partition(" | ")
    return 'd.plan("%s", "%s"); ' % (arrays, numbers)


def function_row(namespace, name, params, head):
    drawn = drawn_types(params, head)
    if drawn is None:
        return None
    drawn = [DRAWN.get(parameter(text)[1], kind) for text, kind in zip(params, drawn)]
    call = "trained(d, a, %s::%s(%s))" % (namespace, name, ", ".join(passed(len(drawn))))
    return "%s::%s(%s)" % (namespace, name, ", ".join(params)), namespace, drawn, call, -1, planned(name)


def class_row(namespace, name, params, head):
    drawn = drawn_types(params, head)
    if drawn is None:
        return None
    call = "applied(d, a, %s::%s{%s})" % (namespace, name, ", ".join(passed(len(drawn))))
    if "std::vector<cupyxx::Index>" not in drawn:
        call = call.replace("{", "(").replace("}", ")")
    return "%s::%s::%s(%s)" % (namespace, name, name, ", ".join(params)), namespace, drawn + ["Inputs"], call, -1, planned(name)


def public_headers():
    """{header: names of its classes and functions} as the reference has them, and the headers that it has not."""
    headers = {path.split("/", 1)[1]: set() for path in glob.glob("chainerxx/functions/[!t]*/*.h")}
    for line in open("docs/reference/chainerxx.md"):
        match = re.match(r"## `chainerxx/(.*)`", line)
        if match:
            header = headers.setdefault(match.group(1), set())
        match = re.match(r"\* `class (\w+)(?: final)? : public", line) or re.match(
            r"\* `(?:template <.*?> )?(?:requires\(.*?\) )?(?:inline |constexpr )*[\w:<>, ]+ (\w+)\((.*)\)`", line)
        if match:
            header.add(match.group(1))
    # Targets of their own: loops of training, and what talks to other processes.
    others = ("datasets/", "iterators/", "links/", "parallel/", "training/")
    return {header: names for header, names in headers.items() if not header.startswith(others)}


def main():
    outdir, parts = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    os.chdir(os.path.dirname(os.path.abspath(__file__)) + "/..")
    rows, structs, names, wanted = [], [], set(), []
    headers = public_headers()
    stale = sorted(set(HEADERS) - set(headers))
    bodies = {}  # of classes that constructors are inherited from
    for header in headers:
        if not header.startswith("functions/"):
            continue
        text = stripped(re.sub(r"/\*.*?\*/", "", open("chainerxx/" + header).read()))
        bodies.update((name, body) for name, _, body in class_bodies(text))
    for header in sorted(set(headers) - set(HEADERS) | {"axes_arg.h"}):
        text = stripped(re.sub(r"/\*.*?\*/", "", open("chainerxx/" + header).read()))
        structs += structs_of(text)
        if header in HEADERS:
            continue
        wanted += [(header, name) for name in sorted(headers[header])]
        for namespace, segment in segments(text):
            if "internal" in namespace or not namespace.startswith("chainerxx"):
                continue
            for _, name, params, head in declarations(segment):
                names.add(name)
                wanted.append((header, name))
                # A sampler is a layer's, BlackOut's say.
                if name not in SKIPPED and not any("WalkerAlias" in text for text in params):
                    rows.append(function_row(namespace, name, params, head))
        for name, bases, body in class_bodies(text):
            names.add(name)
            wanted.append((header, name))
            if name not in SKIPPED and not any(base in bases for base in ["FunctionSet", "WeightsAndBias", "StatelessMGU", "NStep", "GRU"]):
                rows += [class_row("chainerxx::functions", name, params, head) for params, head in constructors(name, body, bodies)]
    rows = [r for r in rows if r]
    for text, drawn, call, plan in EXTRA:
        call = with_holes(call)
        if not call.startswith(("of_", "printed", "facts_of", "unchained")) and "set_" not in call and "dump" not in call:
            call = "trained(d, a, %s)" % call
        arrays, _, numbers = plan.partition(" | ")
        rows.append((text, "chainerxx", drawn, call, -1, 'd.plan("%s", "%s"); ' % (arrays, numbers)))
    called = called_names(rows) | {re.match(r"\w*", r[0])[0] for r in rows}
    missing = ["%s: %s" % (h, n) for h, n in sorted(set(wanted)) if n not in called | set(SKIPPED)]
    stale += sorted((set(SKIPPED) | set(PLANS)) - names)
    if stale:
        sys.exit("wild_rows_chainerxx.py: no header declares " + ", ".join(stale))
    if missing:
        sys.exit("wild_rows_chainerxx.py: no row calls\n  " + "\n  ".join(missing))
    emit(rows, structs, outdir, parts, "wild_rows_chainerxx.py", "chainerxx/testing/wild/rows.h",
         ["cupyxx::testing::wild", "chainerxx::testing::wild"])
    print("%d calls" % len(rows), file=sys.stderr)


main()
