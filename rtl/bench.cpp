// Runs a core with a kernel: the core's memory, a console, and counters of the bench's own.
//
//     sim KERNEL CYCLES [EVERY]
//
// KERNEL is an ELF file of 32 bits. After CYCLES it ends as a failure. With EVERY one counter of the core (fault.h) loses each
// event whose number EVERY divides: what the kernel then counts must not be what the bench counts.
//
// For each counter of the core the bench counts the cycles in which the core reports one of the events that the kernel names, and
// mcountinhibit does not stop the counter. It knows nothing of what was written into the counter or its selector.
//
// | address | register |
// |---|---|
// | 0010_0000 | ends the run: 3333H in the lower half, the kernel's status in the upper (as QEMU's machine "virt") |
// | 1000_0000 | a serial port that always takes a byte (the same) |
// | 2000_0000 + 4 n | which events count for counter n, by their bits in the core's `events_o`; a write clears the count |
// | 2000_0100 + 8 n | that count, of 64 bits |
// | 8000_0000 | memory |

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <vector>

#include "Vtop.h"
#include "Vtop___024root.h"
#include "fault.h"
#include "verilated.h"

namespace {

constexpr uint32_t MEMORY = 0x80000000, SIZE = 1 << 20, SERIAL = 0x10000000, END = 0x00100000;
constexpr uint32_t WATCHED = 0x20000000, COUNTS = 0x20000100, COUNTERS = 32;
// The serial port's status word: its transmitter is empty (line status, byte 5, bit 5).
constexpr uint32_t IS_EMPTY = 0x20 << 8;
// The status of a kernel that succeeds, as in QEMU.
constexpr int SUCCESS = 33;

std::vector<uint8_t> memory(SIZE);
uint32_t watched[COUNTERS];
uint64_t counts[COUNTERS];
int status = -1;

uint32_t word(uint32_t address) {
    uint32_t value = 0;
    if (address - MEMORY < SIZE) std::memcpy(&value, &memory[address - MEMORY], 4);
    else if (address - COUNTS < 8 * COUNTERS) value = counts[(address - COUNTS) / 8] >> (address % 8 * 8);
    else if (address == SERIAL + 4) value = IS_EMPTY;
    return value;
}

void store(uint32_t address, uint32_t value, unsigned bytes) {
    if (address - MEMORY < SIZE) {
        for (unsigned byte = 0; byte < 4; ++byte)
            if (bytes >> byte & 1) memory[address - MEMORY + byte] = value >> (8 * byte);
    } else if (address - WATCHED < 4 * COUNTERS) {
        watched[(address - WATCHED) / 4] = value;
        counts[(address - WATCHED) / 4] = 0;
    } else if (address == SERIAL) {
        std::putchar(value & 0xff);
    } else if (address == END) {
        status = value >> 16;
    } else {
        std::printf("bench: a store to %08x, where nothing is\n", address);
        status = EXIT_FAILURE;
    }
}

bool load(const char* name) {
    FILE* file = std::fopen(name, "rb");
    if (!file) return false;
    std::vector<uint8_t> image(SIZE);
    image.resize(std::fread(image.data(), 1, image.size(), file));
    std::fclose(file);
    if (image.size() < sizeof(Elf32_Ehdr)) return false;
    Elf32_Ehdr head;
    std::memcpy(&head, image.data(), sizeof head);
    for (unsigned part = 0; part < head.e_phnum; ++part) {
        Elf32_Phdr program;
        std::memcpy(&program, &image[head.e_phoff + part * head.e_phentsize], sizeof program);
        if (program.p_type != PT_LOAD || program.p_filesz == 0) continue;
        if (program.p_paddr - MEMORY >= SIZE || program.p_offset + program.p_filesz > image.size()) return false;
        std::memcpy(&memory[program.p_paddr - MEMORY], &image[program.p_offset], program.p_filesz);
    }
    return std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_entry == MEMORY;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3 || !load(arguments[1])) {
        std::printf("bench: no kernel that begins at %08x\n", MEMORY);
        return EXIT_FAILURE;
    }
    const uint64_t cycles = std::strtoull(arguments[2], nullptr, 0);
    const uint64_t every = count > 3 ? std::strtoull(arguments[3], nullptr, 0) : 0;
    Vtop top;
    bool fetches = false, loads = false;
    uint32_t fetched = 0, loaded = 0;
    uint64_t faulty = 0;
    uint64_t cycle = 0;
    for (; status < 0; ++cycle) {
        if (cycle == cycles) {
            std::printf("bench: no end after %llu cycles\n", (unsigned long long)cycles);
            return EXIT_FAILURE;
        }
        // The core's memory answers each request in the next cycle. What is seen before the clock rises is the cycle's.
        top.clk_i = 0;
        top.rst_ni = cycle >= 5;
        top.instr_rvalid_i = fetches;
        top.instr_rdata_i = fetched;
        top.data_rvalid_i = loads;
        top.data_rdata_i = loaded;
        top.eval();
        bool loses = false;
        for (unsigned counter = 0; top.rst_ni && counter < COUNTERS; ++counter) {
            if (top.inhibited_o >> counter & 1 || !(top.events_o & watched[counter])) continue;
            ++counts[counter];
            loses |= every != 0 && counter == FAULTY && ++faulty % every == 0;
        }
        fetches = top.instr_req_o;
        fetched = word(top.instr_addr_o & ~3u);
        loads = top.data_req_o;
        if (loads && top.data_we_o) store(top.data_addr_o & ~3u, top.data_wdata_o, top.data_be_o);
        else if (loads) loaded = word(top.data_addr_o & ~3u);
        if (loses) lose_event(top);
        top.clk_i = 1;
        top.eval();
    }
    std::printf("bench: %llu cycles\n", (unsigned long long)cycle);
    return status == SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
