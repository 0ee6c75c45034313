//! Tells the linker what ArceOS asks for. `linker.x` is its own script, which its crates write and name a folder for.

fn main() {
    for argument in ["-pie", "-znorelro", "-znotext", "-znostart-stop-gc", "-Tlinker.x", "-u_head"] {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
