//! The destination of a stream's bytes: a file, a buffer, or a console that takes only text.

use core::fmt::{self, Write};

/// A destination for bytes: a serial line, a file, a buffer.
pub trait Sink {
    /// Writes all of these bytes.
    ///
    /// # Errors
    /// The bytes could not be written. The stream cannot be used then.
    fn write(&mut self, bytes: &[u8]) -> fmt::Result;
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn write(&mut self, bytes: &[u8]) -> fmt::Result {
        (**self).write(bytes)
    }
}

/// Writes bytes as text, in lines of 32 bytes, two hexadecimal digits a byte.
///
/// `xxd -r -p` converts the text to bytes again. The console receives whole lines; [`HexLines::finish`] writes
/// the last one, which may be shorter.
#[derive(Debug)]
pub struct HexLines<W> {
    console: W,
    /// The digits of the bytes in the current line.
    line: [[u8; 2]; LINE],
    /// The number of bytes in the current line.
    used: usize,
}

/// The number of bytes in a full line.
const LINE: usize = 32;
/// The two digits of each byte.
static DIGITS: [[u8; 2]; 256] = digits();

const fn digits() -> [[u8; 2]; 256] {
    let digits = b"0123456789abcdef";
    let mut bytes = [[0; 2]; 256];
    let mut byte = 0;
    while byte < bytes.len() {
        bytes[byte] = [digits[byte >> 4], digits[byte & 0xF]];
        byte += 1;
    }
    bytes
}

impl<W: Write> HexLines<W> {
    /// Creates a writer of lines to this console.
    pub const fn new(console: W) -> Self {
        Self { console, line: [[b'0'; 2]; LINE], used: 0 }
    }

    /// Writes the last line, if it has any bytes.
    ///
    /// # Errors
    /// Those of the console.
    pub fn finish(mut self) -> fmt::Result {
        if self.used > 0 { self.end_line() } else { Ok(()) }
    }

    /// Adds as many bytes as the line has room for, and returns the rest.
    fn fill<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let room = self.line.get_mut(self.used..).unwrap_or_default();
        let (these, others) = bytes.split_at(bytes.len().min(room.len()));
        for (digits, &byte) in room.iter_mut().zip(these) {
            *digits = DIGITS[usize::from(byte)];
        }
        self.used += these.len();
        others
    }

    fn end_line(&mut self) -> fmt::Result {
        let digits = self.line.get(..self.used).unwrap_or_default().as_flattened();
        self.used = 0;
        self.console.write_str(str::from_utf8(digits).map_err(|_| fmt::Error)?)?;
        self.console.write_char('\n')
    }
}

impl<W: Write> Sink for HexLines<W> {
    fn write(&mut self, mut bytes: &[u8]) -> fmt::Result {
        while !bytes.is_empty() {
            bytes = self.fill(bytes);
            if self.used == LINE {
                self.end_line()?;
            }
        }
        Ok(())
    }
}
