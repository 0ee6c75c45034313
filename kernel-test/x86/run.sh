#!/bin/sh
# Cargo's runner: boots the image that it is given in QEMU.
image=$(realpath "$1") && cd "$(dirname "$0")/../.." && shift && exec cargo xtask qemu x86 "$image" "$@"
