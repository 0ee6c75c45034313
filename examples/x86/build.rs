//! Tells the linker where the kernel lies.

fn main() {
    println!("cargo::rustc-link-arg-bins=-T../../linker/x86.ld");
    println!("cargo::rerun-if-changed=../../linker/x86.ld");
}
