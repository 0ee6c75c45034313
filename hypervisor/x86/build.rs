//! Tells the linker where the hypervisor lies.

fn main() {
    println!("cargo::rustc-link-arg-bins=-T../../linker/hypervisor.ld");
    println!("cargo::rerun-if-changed=../../linker/hypervisor.ld");
}
