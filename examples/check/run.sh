#!/bin/sh
# Cargo's runner: puts the application on a stick, boots it in QEMU under UEFI firmware, presses `s`, and prints the report that
# is on the stick afterwards.
machine=$1 application=$2
stick=$(dirname "$2")/$machine.stick
case $machine in
x86_64)
    name=BOOTX64.EFI code=/usr/share/OVMF/OVMF_CODE_4M.fd variables=/usr/share/OVMF/OVMF_VARS_4M.fd
    qemu="qemu-system-x86_64 -machine q35" ;;
aarch64)
    name=BOOTAA64.EFI code=/usr/share/AAVMF/AAVMF_CODE.fd variables=/usr/share/AAVMF/AAVMF_VARS.fd
    qemu="qemu-system-aarch64 -machine virt,gic-version=3 -cpu cortex-a57 -icount shift=0,sleep=off" ;;
esac
# QEMU can show a folder as a disk (`fat:rw:`), but its version 10.0 mixes up the contents of files that are written there.
rm -f "$stick" "$stick.report" && cp "$variables" "$stick.variables" && mformat -i "$stick" -C -T 65536 :: || exit
mmd -i "$stick" ::/EFI ::/EFI/BOOT && mcopy -i "$stick" "$application" "::/EFI/BOOT/$name" || exit
# The application asks when the firmware has come so far, and takes the next key.
(while sleep 1; do printf s || exit; done) 2>/dev/null | timeout 300 $qemu -accel tcg -m 256 -nodefaults -display none \
    -serial stdio -no-reboot -drive if=pflash,format=raw,unit=0,readonly=on,file="$code" \
    -drive if=pflash,format=raw,unit=1,file="$stick.variables" \
    -drive if=none,id=stick,format=raw,file="$stick" -device virtio-blk-pci,drive=stick >"$stick.console"
mcopy -i "$stick" ::/EFI/BOOT/report.txt "$stick.report" && cat "$stick.report" && grep -qx "end: whole" "$stick.report"
