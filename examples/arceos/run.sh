#!/bin/sh
# Cargo's runner: boots the kernel that it is given in QEMU. The ELF file's entry is a virtual address, so QEMU is given the
# bytes. ArceOS powers the machine off after a panic too: its last line says whether it has succeeded.
case $1 in
    aarch64) machine="virt,gic-version=3 -cpu cortex-a72"; events=SW_INCR,CPU_CYCLES ;;
    riscv64) machine="virt -cpu rv64,sscofpmf=true,smcntrpmf=true"; events=FW_FENCE_I_SENT,HW_CPU_CYCLES ;;
esac
"$1-linux-gnu-objcopy" -O binary "$2" "$2.bin" || exit
timeout 120 "qemu-system-$1" -accel tcg -machine $machine -smp 2 \
    -icount shift=0,sleep=off -m 512 -nodefaults -display none -serial stdio -no-reboot \
    -kernel "$2.bin" -append "quiet --e $events" </dev/null | tee "$2.out"
grep -q '^example: done' "$2.out"
