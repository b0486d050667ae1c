// SPDX-License-Identifier: MIT
// Ranks that are threads of one process.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cupyxx/comm/mailbox.h"

namespace cupyxx::comm::internal {

/// What the threads of one world share.
class ThreadHub;

class ThreadTransport final : public MailboxTransport {
 public:
  /// One for each rank.
  static std::vector<std::shared_ptr<ThreadTransport>> make(int size, double timeout);

  void fail(const std::string& why) noexcept override;
  void leave() noexcept override;

 protected:
  Mailbox& mailbox() override;
  void post(int peer, Channel channel, Bytes bytes) override;

 private:
  ThreadTransport(std::shared_ptr<ThreadHub> hub, int rank, int size, double timeout);

  std::shared_ptr<ThreadHub> hub_;
};

}  // namespace cupyxx::comm::internal
