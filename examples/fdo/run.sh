#!/bin/sh
# Cargo's runner: boots the kernel that it is given in QEMU, which ends with the status 33 when the kernel has succeeded.
timeout -s KILL 300 qemu-system-riscv64 -accel tcg -machine virt -bios none \
    -cpu rv64,sscofpmf=true,smcntrpmf=true,smctr=true,ssctr=true,smcsrind=true,sscsrind=true \
    -icount shift=0,sleep=off -m 64 -nodefaults -display none -serial stdio -no-reboot -kernel "$1" </dev/null
[ $? -eq 33 ]
