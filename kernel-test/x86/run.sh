#!/bin/sh
# Cargo's runner: boots the image of this kernel that it is given in QEMU. What lets a kernel build its `core` would have xtask and
# its packages compiled anew.
kernel=$1 && image=$(realpath "$2") && cd "$(dirname "$0")/../.." && shift 2 || exit
unset RUSTC_BOOTSTRAP; exec cargo xtask qemu "$kernel" "$image" "$@"
