#!/bin/sh
# Cargo's runner: puts the kernel on a stick, and boots it in QEMU under UEFI firmware. QEMU ends with the status 33 when the
# kernel has succeeded. What the firmware prints before the kernel's first line is left out.
stick=$(dirname "$1")/kernel.stick
cp /usr/share/OVMF/OVMF_VARS_4M.fd "$stick.variables" && rm -f "$stick" && mformat -i "$stick" -C -T 65536 :: || exit
mmd -i "$stick" ::/EFI ::/EFI/BOOT && mcopy -i "$stick" "$1" ::/EFI/BOOT/BOOTX64.EFI || exit
timeout 300 qemu-system-x86_64 -accel tcg -machine q35 -m 256 -nodefaults -display none -serial "file:$stick.console" \
    -no-reboot -device isa-debug-exit,iobase=0xf4,iosize=1 -drive format=raw,file="$stick" \
    -drive if=pflash,format=raw,unit=0,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd \
    -drive if=pflash,format=raw,unit=1,file="$stick.variables" </dev/null
status=$?
sed -n '/^kernel: /,$p' "$stick.console"
[ $status -eq 33 ]
