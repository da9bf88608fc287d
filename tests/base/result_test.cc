#include "base/result.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <type_traits>

using namespace blockarch;

namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return Error{ErrorCode::invalid, std::to_string(n) + " is odd"};
  return n / 2;
}

Result<int> quarter(int n) {
  BA_ASSIGN(const int first, half(n));
  BA_ASSIGN(const int second, half(first));
  return second;
}

Result<void> check_even(int n, bool& reached) {
  BA_TRY(half(n));
  reached = true;
  return {};
}

Result<std::unique_ptr<int>> make(int n) {
  return std::make_unique<int>(n);
}

Result<int> unwrap(int n) {
  BA_ASSIGN(const auto pointer, make(n));
  return *pointer;
}

}  // namespace

TEST_CASE("a result holds a value or an error") {
  const auto good = half(4);
  REQUIRE(good.has_value());
  REQUIRE(good);
  CHECK(*good == 2);
  const auto bad = half(3);
  REQUIRE_FALSE(bad.has_value());
  CHECK(bad.error().code == ErrorCode::invalid);
  CHECK(bad.error().message == "3 is odd");
}

TEST_CASE("a result without a value is good until it holds an error") {
  Result<void> result;
  CHECK(result);
  result = Error{ErrorCode::locked, "busy"};
  REQUIRE_FALSE(result);
  CHECK(result.error().code == ErrorCode::locked);
}

TEST_CASE("BA_ASSIGN passes the first error on and goes on with the value otherwise") {
  CHECK(*quarter(8) == 2);
  CHECK(quarter(7).error().message == "7 is odd");
  CHECK(quarter(6).error().message == "3 is odd");
}

TEST_CASE("BA_TRY leaves the function at an error only") {
  bool reached = false;
  CHECK(check_even(2, reached));
  CHECK(reached);
  reached = false;
  CHECK(check_even(1, reached).error().message == "1 is odd");
  CHECK_FALSE(reached);
}

TEST_CASE("results carry values that can only be moved") {
  CHECK(*unwrap(5) == 5);
  auto result = make(6);
  const std::unique_ptr<int> pointer = std::move(result).value();
  CHECK(*pointer == 6);
}

TEST_CASE("a result of a string is not confused with an error message") {
  const Result<std::string> text = std::string("fine");
  CHECK(*text == "fine");
  CHECK(text->size() == 4);
}
