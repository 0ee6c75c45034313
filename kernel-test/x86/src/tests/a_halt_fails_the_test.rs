//! A guest that halts waits for ever: nothing here would wake it.

pub fn test() {
    crate::machine_code::halt();
}
