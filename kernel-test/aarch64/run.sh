#!/bin/sh
# Cargo's runner: boots the image that it is given in QEMU. What lets a kernel build its `core` would have xtask and its packages
# compiled anew.
image=$(realpath "$1") && cd "$(dirname "$0")/../.." && shift || exit
unset RUSTC_BOOTSTRAP; exec cargo xtask qemu aarch64 "$image" "$@"
