//! Text without an allocator: as much as fits.

use core::fmt::{self, Write};

/// A line of text.
#[derive(Debug)]
pub struct Words {
    bytes: [u8; 480],
    length: usize,
}

impl Words {
    /// The text so far; a line break in it is a space, for kernels speak in lines.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.length]).unwrap_or("a reason that is not ASCII")
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Default for Words {
    fn default() -> Self {
        Self { bytes: [0; 480], length: 0 }
    }
}

impl From<fmt::Arguments<'_>> for Words {
    fn from(arguments: fmt::Arguments) -> Self {
        let mut words = Self::default();
        let _ = words.write_fmt(arguments);
        words
    }
}

impl Write for Words {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = &mut self.bytes[self.length..];
        for (place, byte) in room.iter_mut().zip(text.bytes()) {
            *place = if byte == b'\n' { b' ' } else { byte };
            self.length += 1;
        }
        Ok(())
    }
}
