#!/bin/sh
# Cargo's runner: boots the image of this kernel that it is given in QEMU.
kernel=$1 && image=$(realpath "$2") && cd "$(dirname "$0")/../.." && shift 2 && exec cargo xtask qemu "$kernel" "$image" "$@"
