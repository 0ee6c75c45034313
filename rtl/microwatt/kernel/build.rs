//! Tells the linker where the kernel lies.

fn main() {
    println!("cargo::rustc-link-arg-bins=-T../../../linker/powerpc64.ld");
    println!("cargo::rerun-if-changed=../../../linker/powerpc64.ld");
}
