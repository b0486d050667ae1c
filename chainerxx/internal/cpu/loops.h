// SPDX-License-Identifier: MIT
// The kernels of internal/kernels on the host: the same arguments, the same bodies. Loops run in
// parallel when there is enough to do; results do not depend on the number of threads.
#pragma once

#include "chainerxx/internal/kernels/column_sums.h"
#include "chainerxx/internal/kernels/ctc.h"
#include "chainerxx/internal/kernels/dropout.h"
#include "chainerxx/internal/kernels/lstm.h"
#include "chainerxx/internal/kernels/sigmoid_cross_entropy.h"
#include "chainerxx/internal/kernels/softmax.h"
#include "cupyxx/dtype.h"

namespace chainerxx::internal::cpu {

void dropout(cupyxx::dtype type, const kernels::DropoutArgs& args);
void softmax(cupyxx::dtype type, const kernels::SoftmaxArgs& args);
void softmax_grad(cupyxx::dtype type, const kernels::SoftmaxArgs& args);
/// Throws IndexError for a label outside of the classes.
void cross_entropy(cupyxx::dtype type, const kernels::CrossEntropyArgs& args);
void accuracy(cupyxx::dtype type, const kernels::AccuracyArgs& args);
void lstm(cupyxx::dtype type, const kernels::LstmArgs& args);
void lstm_grad(cupyxx::dtype type, const kernels::LstmGradArgs& args);
void sigmoid_cross_entropy(cupyxx::dtype type, const kernels::SigmoidCrossEntropyArgs& args,
                           bool is_grad);
void ctc(cupyxx::dtype type, const kernels::CtcArgs& args);
void column_sums(cupyxx::dtype type, const kernels::ColumnSumsArgs& args);

}  // namespace chainerxx::internal::cpu
