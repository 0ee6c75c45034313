//! Tells the linker where the kernel lies.

fn main() {
    println!("cargo::rustc-link-arg-bins=-T../../linker/riscv.ld");
    println!("cargo::rerun-if-changed=../../linker/riscv.ld");
}
