//! Tells the linker where the kernel lies.

fn main() {
    println!("cargo::rustc-link-arg-bins=-T../../linker/sparc64.ld");
    println!("cargo::rerun-if-changed=../../linker/sparc64.ld");
}
