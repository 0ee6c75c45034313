// Runs Microwatt with a kernel: the core's memory, a console, and counters of the bench's own, for the processes in top.vhdl.
//
//     simulation
//
// The kernel is the flat image KERNEL of the environment, and the run ends as a failure after CYCLES. With EVERY the core's unit
// loses each completed instruction whose number EVERY divides: what the kernel then counts must not be what the bench counts.
//
// For each counter of the core the bench counts the cycles in which the core reports to its unit one of the events that the kernel
// names, and MMCR0 and MMCR2 do not stop the counter. It knows nothing of what was written into the counter or its selector.
//
// | address | register |
// |---|---|
// | 0000_0000 | memory |
// | C000_0000 | ends the run: 3333H in the lower half, the kernel's status in the upper (as QEMU's machine "virt") |
// | C000_0008 | the address of a text |
// | C000_0010 | prints so many bytes from there |
// | C000_1000 + 8 n | which events count for PMCn, by their bits in `bench_cycle`; a write clears the count |
// | C000_1100 + 8 n | that count |

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr uint32_t SIZE = 1 << 20, END = 0xC0000000, TEXT = END + 8, PRINT = END + 16;
constexpr uint32_t WATCHED = END + 0x1000, COUNTS = END + 0x1100, COUNTERS = 7;
// The status of a kernel that succeeds, as in QEMU.
constexpr int SUCCESS = 33;
// The bit of a completed instruction among the events.
constexpr unsigned INSTRUCTION = 3;
// The places of '0' and '1' among the values of std_ulogic.
enum : unsigned char { LOW = 2, HIGH = 3 };

uint64_t number(const char* name) {
    const char* value = std::getenv(name);
    return value ? std::strtoull(value, nullptr, 0) : 0;
}

std::vector<uint8_t> kernel() {
    std::vector<uint8_t> image(SIZE);
    const char* name = std::getenv("KERNEL");
    FILE* file = name ? std::fopen(name, "rb") : nullptr;
    if (!file || !std::fread(image.data(), 1, SIZE, file)) {
        std::printf("bench: KERNEL names no image\n");
        std::exit(EXIT_FAILURE);
    }
    std::fclose(file);
    return image;
}

std::vector<uint8_t> memory = kernel();
const uint64_t cycles = number("CYCLES"), every = number("EVERY");
uint64_t cycle, instructions, text, watched[COUNTERS], counts[COUNTERS];

uint64_t value(const unsigned char* vector, unsigned width) {
    uint64_t value = 0;
    for (unsigned at = 0; at < width; ++at) value = value << 1 | (vector[at] == HIGH);
    return value;
}

[[noreturn]] void end(int status) {
    std::printf("bench: %llu cycles\n", (unsigned long long)cycle);
    std::exit(status);
}

}  // namespace

extern "C" void bench_load(const unsigned char* from, unsigned char* datum) {
    const uint32_t address = value(from, 32);
    uint64_t word = 0;
    if (address < SIZE) std::memcpy(&word, &memory[address], 8);
    else if (address - COUNTS < 8 * COUNTERS) word = counts[(address - COUNTS) / 8];
    for (unsigned at = 0; at < 64; ++at) datum[at] = word >> (63 - at) & 1 ? HIGH : LOW;
}

extern "C" void bench_store(const unsigned char* to, const unsigned char* datum, const unsigned char* bytes) {
    const uint32_t address = value(to, 32);
    const uint64_t word = value(datum, 64);
    if (address < SIZE) {
        for (unsigned byte = 0; byte < 8; ++byte)
            if (bytes[7 - byte] == HIGH) memory[address + byte] = word >> (8 * byte);
    } else if (address - WATCHED < 8 * COUNTERS) {
        watched[(address - WATCHED) / 8] = word;
        counts[(address - WATCHED) / 8] = 0;
    } else if (address == TEXT) {
        text = word;
    } else if (address == PRINT && text < SIZE && word <= SIZE - text) {
        std::fwrite(&memory[text], 1, word, stdout);
    } else if (address == END) {
        end(word >> 16 == SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE);
    } else {
        std::printf("bench: a store to %08x, where nothing is\n", address);
        end(EXIT_FAILURE);
    }
}

extern "C" void bench_cycle(const unsigned char* events, const unsigned char* stopped, unsigned char* loses) {
    if (++cycle == cycles) {
        std::printf("bench: no end\n");
        end(EXIT_FAILURE);
    }
    const uint64_t reported = value(events, 24);
    for (unsigned counter = 1; counter < COUNTERS; ++counter)
        counts[counter] += (reported & watched[counter]) && stopped[6 - counter] == LOW;
    *loses = every && reported >> INSTRUCTION & 1 && ++instructions % every == 0 ? HIGH : LOW;
}
