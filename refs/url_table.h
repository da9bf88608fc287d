// Every URL of the archive: found by its key, numbered in order of arrival, kept as it was first given.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/lmdb.h"
#include "base/result.h"
#include "base/url.h"
#include "refs/tables.h"

namespace blockarch {

struct UrlNumber {
  std::uint32_t value = 0;
  auto operator<=>(const UrlNumber&) const = default;
};

struct UrlEntry {
  UrlNumber number;
  std::string key;
  std::string given;
};

Result<std::optional<UrlNumber>> find_url(const ReadTransaction& transaction, const Tables& tables, const Url& url);
// Finds or adds.
Result<UrlNumber> add_url(WriteTransaction& transaction, const Tables& tables, const Url& url);
// The URL as it was first given.
Result<std::string> url_given(const ReadTransaction& transaction, const Tables& tables, UrlNumber number);

// URLs in key order, those whose key begins with a prefix.
class UrlCursor {
 public:
  static Result<UrlCursor> open(const ReadTransaction& transaction, const Tables& tables, std::string prefix);
  // Nothing at the end.
  Result<std::optional<UrlEntry>> next();

 private:
  UrlCursor(const ReadTransaction& transaction, const Tables& tables, Cursor cursor, std::string prefix)
      : transaction_(&transaction), tables_(tables), cursor_(std::move(cursor)), prefix_(std::move(prefix)) {}

  const ReadTransaction* transaction_;
  Tables tables_;
  Cursor cursor_;
  std::string prefix_;
  bool started_ = false;
};

}  // namespace blockarch
