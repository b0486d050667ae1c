// SPDX-License-Identifier: MIT
// What every communicator does, of any size, started in any way. Expectations are computed by plain
// loops from what all ranks are known to have.
#pragma once

#include "cupyxx/comm.h"
#include "cupyxx/device.h"

namespace cupyxx::comm::testing {

/// With arrays on the current device. Fails the test where something is wrong; all ranks call it.
void check_reductions(const Communicator& comm);
void check_averages(const Communicator& comm);
void check_rounding(const Communicator& comm);
void check_movements(const Communicator& comm);
void check_messages(const Communicator& comm);
void check_layouts(const Communicator& comm);
void check_splits(const Communicator& comm);
/// Errors, for two ranks or more: on every rank, and the next call works again.
void check_disagreements(const Communicator& comm);
/// All of the above, and what does not depend on a device.
void check_everything(const Communicator& comm);

}  // namespace cupyxx::comm::testing
