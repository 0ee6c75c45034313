//! Where a stream's bytes go: a file, a buffer, or a console that takes text alone.

use core::fmt::{self, Write};

/// What bytes are written to: a serial line, a file, a buffer.
pub trait Sink {
    /// Takes all of these bytes.
    ///
    /// # Errors
    /// They could not be taken; the stream is worthless.
    fn write(&mut self, bytes: &[u8]) -> fmt::Result;
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn write(&mut self, bytes: &[u8]) -> fmt::Result {
        (**self).write(bytes)
    }
}

/// Bytes as lines of 32 each in hexadecimal, for a console that takes text alone.
///
/// `xxd -r -p` makes bytes of them again.
#[derive(Debug)]
pub struct HexLines<W> {
    console: W,
    column: usize,
}

/// How many bytes a line has.
const LINE: usize = 32;

impl<W: Write> HexLines<W> {
    /// Begins a line.
    pub const fn new(console: W) -> Self {
        Self { console, column: 0 }
    }

    /// Ends the last line, if it was begun.
    ///
    /// # Errors
    /// The console's.
    pub fn finish(mut self) -> fmt::Result {
        if self.column > 0 { self.console.write_char('\n') } else { Ok(()) }
    }

    fn byte(&mut self, byte: u8) -> fmt::Result {
        write!(self.console, "{byte:02x}")?;
        self.column = (self.column + 1) % LINE;
        if self.column == 0 { self.console.write_char('\n') } else { Ok(()) }
    }
}

impl<W: Write> Sink for HexLines<W> {
    fn write(&mut self, bytes: &[u8]) -> fmt::Result {
        bytes.iter().try_for_each(|&byte| self.byte(byte))
    }
}
