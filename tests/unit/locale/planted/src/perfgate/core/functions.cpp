#include <cstdlib>
double read(const char* text) { return std::strtod(text, nullptr); }
double shorter(const char* text) { return std::stod(text); }
bool is_letter(char c) { return std::isalpha(c) != 0; }
void show(double time_us) { std::printf("%f", time_us); }
