//! Tells the linker where the kernel lies.

fn main() {
    println!("cargo::rustc-link-arg-bins=-T../../linker/aarch64.ld");
    println!("cargo::rerun-if-changed=../../linker/aarch64.ld");
}
