#include "transfer/export_git_object.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <new>

namespace blockarch {

struct Sha1::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();

  State() { begin(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { EVP_MD_CTX_free(context); }

  // OpenSSL fails here only where it has no memory, or no SHA-1 at all, which is no state to go on in.
  void begin() {
    if (context == nullptr || EVP_DigestInit_ex(context, EVP_sha1(), nullptr) != 1) throw std::bad_alloc();
  }
};

Sha1::Sha1() : state_(std::make_unique<State>()) {}
Sha1::~Sha1() = default;
Sha1::Sha1(Sha1&&) noexcept = default;
Sha1& Sha1::operator=(Sha1&&) noexcept = default;

Sha1& Sha1::update(ByteView bytes) {
  if (EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) != 1) throw std::bad_alloc();
  return *this;
}

GitId Sha1::finish() {
  GitId id;
  if (EVP_DigestFinal_ex(state_->context, id.bytes.data(), nullptr) != 1) throw std::bad_alloc();
  state_->begin();
  return id;
}

GitId git_id(Sha1& hasher, GitKind kind, ByteView content) {
  const char* name = kind == GitKind::blob ? "blob" : kind == GitKind::tree ? "tree" : "commit";
  std::string head = fmt::format("{} {}", name, content.size());
  head.push_back('\0');
  return hasher.update(head).update(content).finish();
}

}  // namespace blockarch
