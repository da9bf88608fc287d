#include "base/shared_library.h"

#include <array>
#include <catch2/catch_test_macros.hpp>

using namespace blockarch;

namespace {

double (*cosine)(double) = nullptr;
double (*no_such_function)(double) = nullptr;

}  // namespace

TEST_CASE("functions of a library are there once it is loaded") {
  const std::array functions{LibraryFunction{"cos", reinterpret_cast<void**>(&cosine)}};
  REQUIRE(load_functions("libm.so.6", functions));
  CHECK(cosine(0.0) == 1.0);
}

TEST_CASE("a library or a function that is not there is an error that names it, and sets nothing") {
  cosine = nullptr;
  const std::array functions{LibraryFunction{"cos", reinterpret_cast<void**>(&cosine)},
                             LibraryFunction{"no_such_function", reinterpret_cast<void**>(&no_such_function)}};
  const auto without_library = load_functions("libnowhere.so.7", functions);
  REQUIRE_FALSE(without_library);
  CHECK(without_library.error().code == ErrorCode::unsupported);
  CHECK(without_library.error().message.find("libnowhere.so.7") != std::string::npos);
  const auto without_function = load_functions("libm.so.6", functions);
  REQUIRE_FALSE(without_function);
  CHECK(without_function.error().message.find("no_such_function") != std::string::npos);
  CHECK(cosine == nullptr);
}
