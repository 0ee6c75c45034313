#!/bin/sh
# Cargo's runner: boots the kernel that it is given under QEMU's OpenSBI, which ends with the status 33 when it has succeeded.
timeout -s KILL 300 qemu-system-riscv64 -accel tcg -machine virt -cpu rv64,sscofpmf=true,smcntrpmf=true \
    -icount shift=0,sleep=off -m 64 -nodefaults -display none -serial stdio -no-reboot -kernel "$1" </dev/null
[ $? -eq 33 ]
