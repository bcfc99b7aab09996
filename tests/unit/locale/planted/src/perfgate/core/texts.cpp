#include <string>
std::string text_of(double time_us) { return std::to_string(time_us); }
struct Far {
  double factor = 1;
};
std::string text_of(const Far& far) { return std::to_string(far.factor) + " times"; }
std::string grouped(int count) { return fmt::format("{:L} of {:>{}L}", count, count, 5); }
std::locale users();
