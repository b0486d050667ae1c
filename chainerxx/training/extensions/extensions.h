// SPDX-License-Identifier: MIT
// All extensions.
#pragma once

#include "chainerxx/training/extensions/dump_graph.h"
#include "chainerxx/training/extensions/evaluator.h"
#include "chainerxx/training/extensions/log_report.h"
#include "chainerxx/training/extensions/micro_average.h"
#include "chainerxx/training/extensions/observe.h"
#include "chainerxx/training/extensions/parameters.h"
#include "chainerxx/training/extensions/plot_report.h"
#include "chainerxx/training/extensions/print_report.h"
#include "chainerxx/training/extensions/progress_bar.h"
#include "chainerxx/training/extensions/schedule_shifts.h"
#include "chainerxx/training/extensions/shift.h"
#include "chainerxx/training/extensions/snapshot.h"
#include "chainerxx/training/extensions/variable_statistics_plot.h"
