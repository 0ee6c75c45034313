//! The folders of this repository.

use std::env;
use std::path::{Path, PathBuf};

/// The repository's root, where the library's manifest is.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository's root")
}

/// Where the bootable test kernels are, each in a workspace of its own.
pub(crate) fn kernels() -> PathBuf {
    root().join("kernel-test")
}

/// What the test kernels have in common.
pub(crate) fn harness() -> PathBuf {
    kernels().join("harness")
}

/// Where the example kernels are, each in a workspace of its own.
pub(crate) fn examples() -> PathBuf {
    root().join("examples")
}

/// What is asked of a unit on hardware.
pub(crate) fn check() -> PathBuf {
    examples().join("common/check")
}

/// The example hypervisor of this architecture, `x86`, `aarch64` or `riscv`, a workspace of its own.
pub(crate) fn hypervisor(architecture: &str) -> PathBuf {
    root().join("hypervisor").join(architecture)
}

/// The first process of their guests, another workspace.
pub(crate) fn guest() -> PathBuf {
    root().join("hypervisor/guest")
}

/// The bench of real cores, and its kernel.
pub(crate) fn rtl() -> PathBuf {
    root().join("rtl")
}

/// The kernel of the cores, a workspace of its own.
pub(crate) fn rtl_kernel() -> PathBuf {
    rtl().join("kernel")
}

/// The kernel of Microwatt, another one.
pub(crate) fn microwatt_kernel() -> PathBuf {
    rtl().join("microwatt/kernel")
}

/// Where that is built: it is the only program that is little-endian.
pub(crate) fn microwatt_target() -> PathBuf {
    cross_target().join("powerpc64le")
}

/// Where the cores are downloaded and compiled.
pub(crate) fn rtl_target() -> PathBuf {
    target().join("rtl")
}

/// What other lists say of the events that both know.
pub(crate) fn oracles() -> PathBuf {
    root().join("oracles")
}

/// The static library of the no-panic proof.
pub(crate) fn no_panic() -> PathBuf {
    root().join("tests/no_panic")
}

/// The fuzz targets.
pub(crate) fn fuzz() -> PathBuf {
    root().join("fuzz")
}

/// The static library whose code size is measured.
pub(crate) fn text() -> PathBuf {
    root().join("benches/text")
}

/// The list of the library's public paths.
pub(crate) fn public_api() -> PathBuf {
    root().join("docs/public-api.txt")
}

/// Where builds for other machines put their results: apart from the host's, whose flags and compiler differ.
pub(crate) fn cross_target() -> PathBuf {
    target().join("cross")
}

/// Where the interleavings are built, with flags of their own.
pub(crate) fn loom_target() -> PathBuf {
    target().join("loom")
}

/// Where the fuzz targets are built, and keep what they find.
pub(crate) fn fuzz_target() -> PathBuf {
    target().join("fuzz")
}

/// Where mutants are made and built.
pub(crate) fn mutants_target() -> PathBuf {
    target().join("mutants")
}

/// The flame graph that the demo draws.
pub(crate) fn flame_graph() -> PathBuf {
    target().join("flame.svg")
}

/// Where the host's builds put their results.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
