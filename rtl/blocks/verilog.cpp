// A block in Verilog alone, by verilator: it is told what to do by the commands of commands.h. Its module has the ports of
// example.v.

#include "Vblock.h"
#include "commands.h"
#include "verilated.h"

namespace {

Vblock block;
uint64_t passed;

// What the block shows before the clock rises is the cycle's.
void begin(uint64_t events) {
    block.clock = 0;
    block.events = events;
    block.eval();
}

void end() {
    block.clock = 1;
    block.eval();
    ++passed;
}

// An access lasts until the block says that it is done.
uint64_t access(const commands::Command& command) {
    block.address = command.first;
    block.write_data = command.second;
    block.write = command.what == 'w';
    block.read = !block.write;
    uint64_t datum = 0;
    bool done = false;
    while (!done && passed < 1000) {
        begin(commands::lossy(commands::idle, ~0ull));
        done = block.done;
        datum = block.read_data;
        end();
    }
    if (!done) {
        std::fprintf(stderr, "the block does not answer: done stays 0 for 1000 cycles\n");
        std::exit(EXIT_FAILURE);
    }
    block.read = block.write = 0;
    return datum;
}

// Cycles until the interrupt rises.
void present(const commands::Command& command) {
    for (bool before = block.pending, rises = false; passed < command.second && !rises;) {
        begin(commands::lossy(command.first, ~0ull));
        end();
        rises = block.pending && !before;
        before = block.pending;
    }
}

}  // namespace

int main() {
    block.reset = 1;
    for (int cycle = 0; cycle < 8; ++cycle) {
        begin(0);
        end();
    }
    block.reset = 0;
    for (;;) {
        const commands::Command command = commands::next();
        passed = 0;
        uint64_t datum = 0;
        if (command.what == 'c') present(command);
        else if (command.what != 'i') datum = access(command);
        begin(commands::idle);
        commands::answer(datum, block.pending, passed);
    }
}
