// What every simulation of a block alone is told on its standard input, a command a line, and answers, a line each. All numbers are
// hexadecimal.
//
// | command | meaning |
// |---|---|
// | r ADDRESS | reads a register |
// | w ADDRESS VALUE | writes one |
// | c WIRES NUMBER | so many cycles in which these wires are up; it ends early when the interrupt rises |
// | i WIRES | the wires that are up during accesses from now on |
//
// The answer is the value that was read, whether the block interrupts, and how many cycles have passed. The simulation ends with
// its input. With EVERY in the environment, of the cycles with an event each whose number EVERY divides loses its events: what the
// block then counts must not be what it was shown.

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace commands {

struct Command {
    char what;
    uint64_t first, second;
};

inline uint64_t idle;

// Waits for the next command.
inline Command next() {
    Command command = {};
    if (std::scanf(" %c %" SCNx64, &command.what, &command.first) != 2) std::exit(EXIT_SUCCESS);
    const bool has_second = command.what == 'w' || command.what == 'c';
    if (has_second && std::scanf("%" SCNx64, &command.second) != 1) std::exit(EXIT_FAILURE);
    if (command.what == 'i') idle = command.first;
    return command;
}

inline void answer(uint64_t value, bool interrupts, uint64_t cycles) {
    std::printf("%" PRIx64 " %x %" PRIx64 "\n", value, interrupts, cycles);
    std::fflush(stdout);
}

// Returns the wires without those that get lost in this cycle.
inline uint64_t lossy(uint64_t wires, uint64_t events) {
    static const char* const text = std::getenv("EVERY");
    static const uint64_t every = text ? std::strtoull(text, nullptr, 0) : 0;
    static uint64_t number;
    return every && wires & events && ++number % every == 0 ? wires & ~events : wires;
}

}  // namespace commands
