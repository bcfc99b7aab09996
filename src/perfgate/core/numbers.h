#pragma once
// Numbers as text, whatever the locale. A library whose constructor calls setlocale(LC_ALL, "") on
// a German machine makes strtod read 7.188 as 7, and one that sets C++'s global locale makes a
// stream write 1234 as "1.234": nothing here does either. cmake/check_locale.py keeps the functions
// that do out of the sources.

#include <clocale>
#include <optional>
#include <string>
#include <string_view>

namespace perfgate {

/// The number that the whole text is, with a point: nothing for "", " 1", "1,5", "0x1", "nan",
/// "inf", or a number too large for a double.
std::optional<double> decimal_from(std::string_view text);

/// The shortest text from which `decimal_from` reads the same number.
std::string decimal_text(double number);

/// The number with at most so many significant digits, as printf's %g.
std::string rounded_text(double number, int significant_digits);

/// While it lives, the C functions that this thread calls read and write numbers with a point:
/// around libraries that use them, such as a parser of JSON. The process's locale stays as it is.
class PointInNumbers {
 public:
  PointInNumbers();
  PointInNumbers(const PointInNumbers&) = delete;
  PointInNumbers& operator=(const PointInNumbers&) = delete;
  ~PointInNumbers();

 private:
  locale_t ours_;
  locale_t before_;
};

}  // namespace perfgate
