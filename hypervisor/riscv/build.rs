//! Tells the linker where the hypervisor lies.

fn main() {
    println!("cargo::rustc-link-arg-bins=--defsym=load_address=0x8f000000");
    println!("cargo::rustc-link-arg-bins=-T../../linker/riscv.ld");
    println!("cargo::rerun-if-changed=../../linker/riscv.ld");
}
