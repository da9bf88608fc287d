#include "warc/record.h"

#include <sys/mman.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/charset.h"
#include "warc/text.h"

namespace blockarch {
namespace {

constexpr std::array<std::string_view, 9> kTypeNames{"warcinfo", "response",   "resource",     "request", "metadata",
                                                     "revisit",  "conversion", "continuation", "other"};

}  // namespace

std::string_view record_type_name(RecordType type) {
  return kTypeNames[static_cast<std::size_t>(type)];
}

RecordType record_type(std::string_view warc_type) {
  for (std::size_t i = 0; i + 1 < kTypeNames.size(); ++i) {
    if (same_letters(warc_type, kTypeNames[i])) return static_cast<RecordType>(i);
  }
  return RecordType::other;
}

RecordBody::RecordBody(ByteView bytes) : size_(bytes.size()) {
  if (bytes.empty()) return;
  data_ = static_cast<char*>(std::malloc(bytes.size()));
  if (data_ == nullptr) throw std::bad_alloc();
  std::memcpy(data_, bytes.data(), bytes.size());
}

RecordBody::RecordBody(RecordBody&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, false)) {}

RecordBody& RecordBody::operator=(RecordBody&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

RecordBody::~RecordBody() {
  if (mapped_) {
    ::munmap(data_, size_);
  } else {
    std::free(data_);
  }
}

const std::string* find_field(const HeaderFields& fields, std::string_view name) {
  for (const auto& [key, value] : fields) {
    if (same_letters(key, name)) return &value;
  }
  return nullptr;
}

bool ArchiveRecord::is_http() const {
  if (version.starts_with("ARC/")) return body.view().starts_with("HTTP/");
  if (type != RecordType::response && type != RecordType::request && type != RecordType::revisit) return false;
  return parse_media_type(content_type).essence == "application/http";
}

}  // namespace blockarch
