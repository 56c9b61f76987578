// SPDX-License-Identifier: Apache-2.0
#include "UcxTransport.h"

#include "UcxSilence.h"
#include "base/OwnDescriptor.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <poll.h>
#include <sys/eventfd.h>
#include <ucp/api/ucp.h>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace forerun {
namespace {

constexpr unsigned kPacketId = 1;
/// UCX's settings (UCX_TLS, ...) are heeded, and FORERUN_UCX_TLS, ... before them.
constexpr const char *kPrefix = "FORERUN";

/// The header of a packet begins with this. Its messages come next, where bytes follow, and are what
/// follows, where there are none.
struct Head {
  Rank from;
  std::uint32_t messages;
};

/// What is UCX's until it has gone.
struct Sent {
  std::vector<std::byte> header;
  PeerBytes bytes;
};

/// What has come. Of UCX's memory, which is given back when it has been handed over.
struct Packet {
  Rank from;
  std::vector<PeerMessage> messages;
  std::span<const std::byte> bytes;
  void *lent;
};

class UcxTransport final : public PeerTransport {
public:
  explicit UcxTransport(Rank self) : self_(self) {}
  UcxTransport(const UcxTransport &) = delete;
  UcxTransport &operator=(const UcxTransport &) = delete;
  ~UcxTransport() override;
  bool start();

  const std::string &address() const override { return address_; }
  void setAddresses(std::vector<std::string> addresses) override {
    addresses_ = std::move(addresses);
  }
  bool reaches(Rank other) override {
    const UcxSilence silence;
    return endpointTo(other) != nullptr;
  }
  void send(Rank to, std::span<const PeerMessage> messages, PeerBytes bytes) override;
  void wait(std::chrono::nanoseconds longest, const Receive &receive) override;
  void wake() override {
    const std::uint64_t one = 1;
    (void)!write(wakeFd_, &one, sizeof one);
  }

private:
  struct Endpoint {
    ucp_ep_h ucp = nullptr; ///< null: it has ended, or cannot be reached
  };

  ucp_ep_h endpointTo(Rank to);
  void sleep(std::chrono::nanoseconds longest);
  static ucs_status_t come(void *self, const void *header, size_t headerLength, void *data,
                           size_t length, const ucp_am_recv_param_t *param) noexcept;

  const Rank self_;
  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
  int workerFd_ = -1;
  int wakeFd_ = -1;
  std::string address_;
  std::vector<std::string> addresses_;
  std::unordered_map<Rank, Endpoint> endpoints_;
  std::vector<Packet> come_; ///< and has not been handed over
};

bool UcxTransport::start() {
  const UcxSilence silence;
  wakeFd_ = moveAboveTheProgram(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  ucp_config_t *config = nullptr;
  if (wakeFd_ < 0 || ucp_config_read(kPrefix, nullptr, &config) != UCS_OK)
    return false;
  ucp_params_t params{};
  params.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_NAME;
  params.features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP;
  params.name = "forerun";
  const ucs_status_t isThere = ucp_init(&params, config, &context_);
  ucp_config_release(config);
  if (isThere != UCS_OK)
    return false;

  ucp_worker_params_t how{};
  how.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE | UCP_WORKER_PARAM_FIELD_EVENTS;
  how.thread_mode = UCS_THREAD_MODE_SERIALIZED; // it is made in one, and used in another
  how.events = UCP_WAKEUP_RX | UCP_WAKEUP_TX;
  if (ucp_worker_create(context_, &how, &worker_) != UCS_OK)
    return false;
  ucp_am_handler_param_t handler{};
  handler.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
                       UCP_AM_HANDLER_PARAM_FIELD_ARG | UCP_AM_HANDLER_PARAM_FIELD_FLAGS;
  handler.id = kPacketId;
  handler.cb = come;
  handler.arg = this;
  handler.flags = UCP_AM_FLAG_WHOLE_MSG | UCP_AM_FLAG_PERSISTENT_DATA;
  ucp_address_t *own = nullptr;
  size_t length = 0;
  if (ucp_worker_set_am_recv_handler(worker_, &handler) != UCS_OK ||
      ucp_worker_get_efd(worker_, &workerFd_) != UCS_OK ||
      ucp_worker_get_address(worker_, &own, &length) != UCS_OK)
    return false;
  address_.assign(reinterpret_cast<const char *>(own), length);
  ucp_worker_release_address(worker_, own);
  return true;
}

UcxTransport::~UcxTransport() {
  const UcxSilence silence;
  for (const Packet &packet : come_)
    ucp_am_data_release(worker_, packet.lent);
  // Others may have ended before: nothing is waited for.
  if (worker_ != nullptr)
    ucp_worker_destroy(worker_);
  if (context_ != nullptr)
    ucp_cleanup(context_);
  if (wakeFd_ >= 0)
    close(wakeFd_);
}

ucp_ep_h UcxTransport::endpointTo(Rank to) {
  const auto [place, isNew] = endpoints_.try_emplace(to);
  if (!isNew || to >= addresses_.size())
    return place->second.ucp;
  ucp_ep_params_t params{};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER;
  params.address = reinterpret_cast<const ucp_address_t *>(addresses_[to].data());
  params.err_mode = UCP_ERR_HANDLING_MODE_PEER; // who has ended does not end us
  params.err_handler.cb = [](void *endpoint, ucp_ep_h /*ep*/, ucs_status_t /*status*/) {
    static_cast<Endpoint *>(endpoint)->ucp = nullptr;
  };
  params.err_handler.arg = &place->second;
  ucp_ep_h made = nullptr;
  if (ucp_ep_create(worker_, &params, &made) == UCS_OK)
    place->second.ucp = made;
  return place->second.ucp;
}

/// Bytes go with their message, and are not asked for by the receiver first (UCX's rendezvous): its
/// round trips, and what both sides do for them, cost more than the copy that they spare, a quarter of
/// the time of a job that reads from four nodes over TCP.
void UcxTransport::send(Rank to, std::span<const PeerMessage> messages, PeerBytes bytes) {
  const UcxSilence silence;
  const ucp_ep_h endpoint = endpointTo(to);
  if (endpoint == nullptr)
    return;
  auto sent = std::make_unique<Sent>();
  const Head head{self_, static_cast<std::uint32_t>(messages.size())};
  const std::size_t inHeader = bytes.empty() ? 0 : messages.size_bytes();
  sent->header.resize(sizeof head + inHeader);
  std::memcpy(sent->header.data(), &head, sizeof head);
  if (bytes.empty())
    bytes = PeerBytes(messages.size_bytes());
  std::memcpy(inHeader == 0 ? bytes.data() : sent->header.data() + sizeof head, messages.data(),
              messages.size_bytes());
  sent->bytes = std::move(bytes);
  ucp_request_param_t param{};
  param.op_attr_mask =
      UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_FLAGS;
  param.flags = UCP_AM_SEND_FLAG_EAGER;
  Sent *const going = sent.release();
  param.user_data = going;
  param.cb.send = [](void *request, ucs_status_t /*status*/, void *gone) {
    delete static_cast<Sent *>(gone);
    ucp_request_free(request);
  };
  const ucs_status_ptr_t status =
      ucp_am_send_nbx(endpoint, kPacketId, going->header.data(), going->header.size(),
                      going->bytes.data(), going->bytes.size(), &param);
  if (!UCS_PTR_IS_PTR(status)) // it has gone, or never will
    delete going;
}

/// Called while progress is made: nothing but keeping it is done here. What is not whole is not
/// believed, and what finds no memory is as good as lost: who sent it is answered no more than a
/// process that has ended is.
ucs_status_t UcxTransport::come(void *self, const void *header, size_t headerLength, void *data,
                                size_t length, const ucp_am_recv_param_t *param) noexcept try {
  auto &transport = *static_cast<UcxTransport *>(self);
  Head head{};
  if (headerLength < sizeof head || (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_DATA) == 0)
    return UCS_OK;
  std::memcpy(&head, header, sizeof head);
  const bool hasBytes = headerLength > sizeof head;
  const std::size_t told = head.messages * sizeof(PeerMessage);
  if ((hasBytes ? headerLength - sizeof head : length) != told)
    return UCS_OK;
  std::vector<PeerMessage> messages(head.messages);
  std::memcpy(messages.data(),
              hasBytes ? static_cast<const std::byte *>(header) + sizeof head : data, told);
  const std::span bytes(static_cast<const std::byte *>(data), hasBytes ? length : 0);
  transport.come_.push_back({head.from, std::move(messages), bytes, data});
  return UCS_INPROGRESS;
} catch (const std::bad_alloc &) {
  return UCS_OK;
}

void UcxTransport::wait(std::chrono::nanoseconds longest, const Receive &receive) {
  const UcxSilence silence;
  while (ucp_worker_progress(worker_) != 0) {
  }
  if (come_.empty()) {
    sleep(longest);
    while (ucp_worker_progress(worker_) != 0) {
    }
  }
  for (const Packet &packet : std::exchange(come_, {})) {
    receive(packet.from, packet.messages, packet.bytes);
    ucp_am_data_release(worker_, packet.lent);
  }
}

/// In the kernel, until something happens to the worker or it is woken.
void UcxTransport::sleep(std::chrono::nanoseconds longest) {
  // Where something has happened since progress was made, there is no sleeping.
  if (ucp_worker_arm(worker_) != UCS_OK)
    return;
  std::array<pollfd, 2> fds{{{workerFd_, POLLIN, 0}, {wakeFd_, POLLIN, 0}}};
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
  const timespec most{seconds.count(), (longest - seconds).count()};
  (void)ppoll(fds.data(), fds.size(), &most, nullptr);
  std::uint64_t times = 0;
  (void)!read(wakeFd_, &times, sizeof times);
}

} // namespace

std::unique_ptr<PeerTransport> makeUcxTransport(Rank self) {
  auto transport = std::make_unique<UcxTransport>(self);
  if (!transport->start())
    return nullptr;
  return transport;
}

} // namespace forerun
