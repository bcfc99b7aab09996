#pragma once
// Regular expressions. <regex> takes three seconds to compile in each file that uses it, so only
// this one does.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perfgate {

/// A regular expression in ECMAScript's grammar.
class Pattern {
 public:
  /// std::regex takes stack by the character that it matches: of 50,000 it dies.
  static constexpr std::size_t kLongest = 10000;

  /// Throws std::regex_error on an invalid expression.
  explicit Pattern(const std::string& expression);
  ~Pattern();

  /// Where the whole text matches: the text and then its groups, empty for one that took no part.
  /// A text of more than `kLongest` characters does not.
  [[nodiscard]] std::optional<std::vector<std::string>> match(const std::string& text) const;

  /// The text with `with` in the place of every match. A match must not be longer than `kLongest`.
  [[nodiscard]] std::string replaced(const std::string& text, const std::string& with) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace perfgate
