#!/bin/sh
# Cargo's runner: boots the kernel that it is given in QEMU, which starts it at the beginning of a flat image. The kernel
# turns the machine off when it has succeeded, and panics otherwise. QEMU would warn of mitigations that it lacks.
set -eu
powerpc64-linux-gnu-objcopy -O binary "$1" "$1.flat"
timeout 300 qemu-system-ppc64 -accel tcg -cpu power9 -m 512 -icount shift=0,sleep=off -display none -vga none \
    -machine pseries,cap-cfpc=broken,cap-sbbc=broken,cap-ibs=broken,cap-ccf-assist=off \
    -nodefaults -serial stdio -no-reboot -action panic=exit-failure -bios "$1.flat" </dev/null
