//! A guest that halts waits for ever: nothing here would wake it.

pub fn test() {
    x86_64::instructions::hlt();
}
