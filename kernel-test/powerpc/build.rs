//! Tells the linker where the kernel lies.

use std::env;

fn main() {
    let width = env::var("CARGO_CFG_TARGET_POINTER_WIDTH").expect("cargo names the target's width");
    println!("cargo::rustc-link-arg-bins=-T../../linker/powerpc{width}.ld");
    println!("cargo::rerun-if-changed=../../linker");
}
