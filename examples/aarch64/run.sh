#!/bin/sh
# Cargo's runner: boots the kernel that it is given in QEMU, which ends with the status 33 when the kernel has succeeded.
timeout 300 qemu-system-aarch64 -accel tcg -machine virt,gic-version=3 -cpu cortex-a57 -smp 2 \
    -icount shift=0,sleep=off -m 64 -nodefaults -display none -serial stdio -no-reboot \
    -semihosting-config enable=on,target=native -kernel "$1" </dev/null
[ $? -eq 33 ]
