// Result<T>: a value or an Error, shaped like std::expected. Every function that can fail for a reason outside the
// program (disk, web, user) returns one; programmer errors are assertions.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace blockarch {

// A closed list: the CLI maps each to one exit code, callers may branch on them.
enum class ErrorCode {
  invalid,      // the caller's input is wrong: bad URL, bad date, bad option value
  not_found,    // the named URL, version, object, tag or input file does not exist
  corrupt,      // stored bytes are not what they must be
  io,           // the operating system refused a read, write or sync
  no_space,     // disk or quota is full
  permission,   // the operating system denied access
  locked,       // another writer holds the archive
  no_archive,   // there is no archive at the place named
  unsupported,  // a format version or feature that this program does not know
  too_large,    // over a documented limit
  interrupted,  // a signal asked to stop
};

// `message` is one line without a final dot that names the thing (id, URL, file, offset).
struct Error {
  ErrorCode code;
  std::string message;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return assert(has_value()), *std::get_if<0>(&state_); }
  const T& value() const& { return assert(has_value()), *std::get_if<0>(&state_); }
  T&& value() && { return assert(has_value()), std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return assert(!has_value()), *std::get_if<1>(&state_); }
  Error&& error() && { return assert(!has_value()), std::move(*std::get_if<1>(&state_)); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool has_value() const { return !error_; }
  explicit operator bool() const { return has_value(); }
  void value() const { assert(has_value()); }
  const Error& error() const& { return assert(error_), *error_; }
  Error&& error() && { return assert(error_), std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace blockarch

// BA_TRY(f());                returns f's error from the calling function, if any.
// BA_ASSIGN(auto x, f());     the same, else x is the value.
#define BA_CONCAT_INNER(a, b) a##b
#define BA_CONCAT(a, b) BA_CONCAT_INNER(a, b)
#define BA_TRY(expression)                                                                          \
  do {                                                                                              \
    if (auto ba_result = (expression); !ba_result.has_value()) return std::move(ba_result).error(); \
  } while (false)
#define BA_ASSIGN(declaration, expression) BA_ASSIGN_AS(BA_CONCAT(ba_result_, __LINE__), declaration, expression)
#define BA_ASSIGN_AS(name, declaration, expression)      \
  auto name = (expression);                              \
  if (!name.has_value()) return std::move(name).error(); \
  declaration = std::move(name).value()
