#!/bin/sh
# Cargo's runner: boots the kernel that it is given in QEMU, which ends with the status 0 when the kernel has turned the
# machine off, and 1 when it has said that it panicked.
exec timeout -s KILL 300 qemu-system-loongarch64 -accel tcg -machine virt -cpu la464 -m 64 -icount shift=7,sleep=off \
    -display none -vga none -nodefaults -serial stdio -no-reboot -action panic=exit-failure -device pvpanic-pci,addr=1 \
    -kernel "$1" </dev/null
