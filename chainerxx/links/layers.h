// SPDX-License-Identifier: MIT
// Functions with parameters at the place that they have in Chainer since 1.5:
// `namespace L = chainerxx::links;`, then `L::Linear(784, 10)`. They are the classes of
// chainerxx::functions under Chainer 7's names, which three of them change.
#pragma once

#include "chainerxx/functions/functions.h"

namespace chainerxx::links {

using functions::Bilinear, functions::EmbedID, functions::Linear, functions::Parameter;
using functions::Convolution1D, functions::Convolution2D, functions::Convolution3D;
using functions::ConvolutionND, functions::DeconvolutionND, functions::DilatedConvolution2D;
using functions::Deconvolution1D, functions::Deconvolution2D, functions::Deconvolution3D;

using functions::BatchNormalization, functions::GroupNormalization, functions::Scale;
/// Of the last axis. In chainerxx::functions LayerNormalization is the function without parameters.
using LayerNormalization = functions::LayerNorm;

using functions::BatchRenormalization;

using functions::Bias, functions::SimplifiedDropconnect;
using functions::DeformableConvolution2D, functions::DepthwiseConvolution2D;
using functions::Highway, functions::Maxout, functions::PReLU;
using functions::Inception, functions::InceptionBN, functions::MultiHeadAttention;
using functions::LocalConvolution2D, functions::MLPConvolution2D;

using functions::ChildSumTreeLSTM, functions::NaryTreeLSTM;
using functions::NStepBiGRU, functions::NStepBiLSTM, functions::NStepGRU, functions::NStepLSTM;
using functions::NStepBiRNNReLU, functions::NStepBiRNNTanh;
using functions::NStepRNNReLU, functions::NStepRNNTanh;
using functions::StatefulGRU, functions::StatefulLSTM, functions::StatefulPeepholeLSTM;
using functions::StatefulMGU, functions::StatefulZoneoutLSTM, functions::StatelessMGU;
using functions::StatelessLSTM;
/// Keeps its states from call to call, as in Chainer since 1.5.
using LSTM = functions::StatefulLSTM;
/// The same, as in Chainer since 2; there the one that takes its state with each call is
/// StatelessGRU.
using GRU = functions::StatefulGRU;
using StatelessGRU = functions::GRU;

/// What Chainer has as hooks of links: layers around layers.
using functions::SpectralNormalization, functions::WeightStandardization;

using functions::BinaryHierarchicalSoftmax, functions::BlackOut, functions::CRF1d;
using functions::NegativeSampling;

}  // namespace chainerxx::links
