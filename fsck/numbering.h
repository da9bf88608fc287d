// What the numbers of one kind stand for: versions, or metadata. Memory: one byte for each number that a pack holds, some
// hundred for one that stands in a table of hot.mdb.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "base/hash.h"
#include "base/time.h"
#include "refs/number_table.h"
#include "refs/url_table.h"

namespace blockarch {

// Where and when something was captured.
struct SeenAt {
  UrlNumber url;
  Time first;
  std::uint64_t captures = 0;
};

// Why a number's object cannot be had, and what shows it.
struct Trouble {
  std::string why;
  std::optional<SeenAt> seen;
};

class Numbering {
 public:
  // `what` is "version" or "metadata".
  Numbering(const char* what, const char* table) : what_(what), table_(table) {}

  const char* what() const { return what_; }
  const char* table() const { return table_; }

  // One more than the greatest number that was ever given.
  std::uint64_t size() const { return size_; }
  bool is_loose(std::uint32_t number) const { return has(number, kLoose); }
  bool is_packed(std::uint32_t number) const { return has(number, kPacked); }
  bool is_given(std::uint32_t number) const { return has(number, kLoose | kPacked); }
  // How many are given, and of those how many no history shows.
  std::uint64_t count_given() const;
  std::uint64_t count_unobserved() const;

  void add_loose(std::uint32_t number, const Hash256& id);
  void add_packed(std::uint32_t number) { mark(number, kPacked); }
  // Its entry is damaged: said already, but what shows it is not known yet.
  void add_lost(std::uint32_t number) { mark(number, kLost); }
  // Ids that stand in the table, by number.
  const std::map<std::uint32_t, Hash256>& loose() const { return loose_; }

  // The first eight bytes of a loose version's payload hash.
  void set_payload(std::uint32_t number, std::uint64_t head) { payloads_[number] = head; }
  const std::unordered_map<std::uint32_t, std::uint64_t>& payloads() const { return payloads_; }

  // The first reason stays.
  void set_broken(std::uint32_t number, std::string why) { troubles_.try_emplace(number, Trouble{std::move(why), {}}); }
  bool is_broken(std::uint32_t number) const { return troubles_.contains(number); }
  const std::map<std::uint32_t, Trouble>& troubles() const { return troubles_; }

  // A capture shows it. False where the number was never given, as far as anybody knows.
  bool observe(std::uint32_t number, UrlNumber url, Time time);
  // Chunks of the table with numbers that histories show and that stand nowhere.
  const std::set<std::uint32_t>& missing_chunks() const { return missing_chunks_; }

 private:
  static constexpr std::uint8_t kLoose = 1;
  static constexpr std::uint8_t kPacked = 2;
  static constexpr std::uint8_t kLost = 4;
  static constexpr std::uint8_t kObserved = 8;
  static constexpr std::uint32_t kPageSize = 1 << 16;
  using Page = std::array<std::uint8_t, kPageSize>;

  bool has(std::uint32_t number, std::uint8_t any_of) const;
  void mark(std::uint32_t number, std::uint8_t flag);

  const char* what_;
  const char* table_;
  std::uint64_t size_ = 0;
  std::map<std::uint32_t, std::unique_ptr<Page>> pages_;
  std::map<std::uint32_t, Hash256> loose_;
  std::unordered_map<std::uint32_t, std::uint64_t> payloads_;
  std::map<std::uint32_t, Trouble> troubles_;
  std::set<std::uint32_t> missing_chunks_;
};

}  // namespace blockarch
