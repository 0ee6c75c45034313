#!/bin/sh
# Cargo's runner: boots the kernel that it is given in QEMU. The ELF file's entry is a virtual address, so QEMU is given the
# bytes. ArceOS powers the machine off after a panic too: its last line says whether it has succeeded.
aarch64-linux-gnu-objcopy -O binary "$1" "$1.bin" || exit
timeout 120 qemu-system-aarch64 -accel tcg -machine virt,gic-version=3 -cpu cortex-a72 -smp 2 \
    -icount shift=0,sleep=off -m 512 -nodefaults -display none -serial stdio -no-reboot \
    -kernel "$1.bin" -append "quiet --e SW_INCR,CPU_CYCLES" </dev/null | tee "$1.out"
grep -q '^example: done' "$1.out"
