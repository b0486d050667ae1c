// SPDX-License-Identifier: MIT
#include "cupyxx/comm/transport.h"

#include "cupyxx/error.h"
#include "cupyxx/scalar.h"

namespace cupyxx::comm::internal {

void Transport::throw_timeout(const CallNote& note, int peer) const {
  throw Error(message(note.str(), ": rank ", peer, " of the world did not come within ",
                      Scalar(timeout_), " s (CUPYXX_COMM_TIMEOUT)"));
}

void Transport::throw_ended(const CallNote& note, int peer) {
  throw Error(message(note.str(), ": rank ", peer, " of the world has ended"));
}

}  // namespace cupyxx::comm::internal
