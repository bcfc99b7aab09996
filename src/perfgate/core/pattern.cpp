#include "perfgate/core/pattern.h"

#include <locale>
#include <regex>

namespace perfgate {

struct Pattern::Compiled {
  std::regex expression;
};

Pattern::Pattern(const std::string& expression) : compiled_(std::make_unique<Compiled>()) {
  compiled_->expression.imbue(std::locale::classic());  // \w is ASCII's, whatever the locale
  compiled_->expression.assign(expression);
}
Pattern::~Pattern() = default;

std::optional<std::vector<std::string>> Pattern::match(const std::string& text) const {
  std::smatch found;
  if (text.size() > kLongest || !std::regex_match(text, found, compiled_->expression)) {
    return std::nullopt;
  }
  return std::vector<std::string>(found.begin(), found.end());
}

std::string Pattern::replaced(const std::string& text, const std::string& with) const {
  return std::regex_replace(text, compiled_->expression, with);
}

}  // namespace perfgate
