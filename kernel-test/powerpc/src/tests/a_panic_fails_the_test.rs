//! A guest that panics has failed, and the next test runs.

pub fn test() {
    panic!("to order");
}
