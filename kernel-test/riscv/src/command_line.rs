//! The words of the command line.

/// `xtask` has QEMU's loader put the words there, and zeros behind them.
const WORDS: usize = 0x83f0_0000;
/// The most that it puts there.
const MOST: usize = 256;

/// The words of the command line.
pub fn words() -> &'static str {
    // SAFETY: the machine has memory there; it is behind the image, and nobody writes it.
    let bytes = unsafe { core::slice::from_raw_parts(WORDS as *const u8, MOST) };
    let words = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    core::str::from_utf8(words).unwrap_or("words-that-are-no-text")
}
