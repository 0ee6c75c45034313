// Microwatt's unit alone, for the process in block.vhdl: it is told what to do by the commands of ../blocks/commands.h.
//
// The wires are, by their bits: 0 to 20 the events in the order of common.vhdl's PMUEventType, 21 an address of data, 22 the
// processor runs, 23 the time base's highest watched bit, 24 problem state, 25 the process is marked.

#include "../blocks/commands.h"

namespace {

// The places of '0' and '1' among the values of std_ulogic.
enum : unsigned char { LOW = 2, HIGH = 3 };
constexpr uint64_t EVENTS = (1 << 21) - 1;

commands::Command command;
// The cycles of the command that are left and that have passed, and all of the run.
uint64_t left, passed, now;
bool interrupted;

// The leftmost element of a vector is its first.
void show(unsigned char* vector, unsigned width, uint64_t value) {
    for (unsigned at = 0; at < width; ++at) vector[at] = value >> (width - 1 - at) & 1 ? HIGH : LOW;
}

uint64_t value(const unsigned char* vector, unsigned width) {
    uint64_t value = 0;
    for (unsigned at = 0; at < width; ++at) value = value << 1 | (vector[at] == HIGH);
    return value;
}

}  // namespace

extern "C" void block_drive(unsigned char* clocks, unsigned char* writes, unsigned char* number, unsigned char* datum,
                            unsigned char* wires, unsigned char* cycle) {
    if (left == 0) {
        command = commands::next();
        left = command.what == 'c' ? command.second : command.what == 'w';
        passed = 0;
    }
    const bool is_access = command.what != 'c';
    *clocks = left ? HIGH : LOW;
    *writes = command.what == 'w' ? HIGH : LOW;
    show(number, 5, is_access ? command.first : 0);
    show(datum, 64, command.second);
    const uint64_t up = is_access ? commands::idle : command.first;
    show(wires, 26, left ? commands::lossy(up, EVENTS) : up);
    show(cycle, 64, now);
}

extern "C" void block_see(const unsigned char* datum, unsigned char interrupt) {
    const bool interrupts = interrupt == HIGH, rises = interrupts && !interrupted;
    interrupted = interrupts;
    if (left) {
        --left;
        ++passed;
        ++now;
    }
    if (rises) left = 0;
    if (left == 0) commands::answer(value(datum, 64), interrupts, passed);
}
