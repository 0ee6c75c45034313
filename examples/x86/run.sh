#!/bin/sh
# Cargo's runner: boots the kernel that it is given in QEMU, which ends with the status 33 when the kernel has succeeded.
timeout 300 qemu-system-x86_64 -accel tcg -machine q35 -icount shift=0,sleep=off -m 64 -nodefaults -display none \
    -serial stdio -no-reboot -device isa-debug-exit,iobase=0xf4,iosize=1 -kernel "$1" </dev/null
[ $? -eq 33 ]
