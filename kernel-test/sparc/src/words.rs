//! Where the command line is: at a place in memory that QEMU's loader has written.

/// `xtask` has the loader put the words there, eight bytes at a time, and zeros behind them.
const PLACE: usize = 0x0300_0000;
/// The most that it puts there.
const MOST: usize = 256;

/// The words of the command line.
pub fn command_line() -> &'static str {
    // SAFETY: the board has memory there; it is behind the image, and nobody writes it.
    let bytes = unsafe { core::slice::from_raw_parts(PLACE as *const u8, MOST) };
    let words = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    core::str::from_utf8(words).unwrap_or("words-that-are-no-text")
}
