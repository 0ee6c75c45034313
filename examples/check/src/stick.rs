//! The report: on the console as it comes, and on the stick, where what there is stays if the machine hangs.

use core::fmt::{self, Write};

use uefi::proto::media::file::{File, FileAttribute, FileMode, RegularFile};
use uefi::{CStr16, Result, boot, cstr16};

/// Where it is written, beside the application.
const FILE: &CStr16 = cstr16!("EFI\\BOOT\\report.txt");

/// A report that is written.
pub struct Report(RegularFile);

impl Report {
    /// Creates the file, in place of an earlier one.
    ///
    /// # Errors
    /// The stick cannot be written.
    pub fn create() -> Result<Self> {
        let mut root = boot::get_image_file_system(boot::image_handle())?.open_volume()?;
        if let Ok(earlier) = root.open(FILE, FileMode::ReadWrite, FileAttribute::empty()) {
            earlier.delete()?;
        }
        let file = root.open(FILE, FileMode::CreateReadWrite, FileAttribute::empty())?;
        file.into_regular_file().map(Self).ok_or_else(|| uefi::Status::UNSUPPORTED.into())
    }

    /// Has the stick keep what was written.
    ///
    /// # Errors
    /// The stick cannot be written.
    pub fn keep(&mut self) -> Result {
        self.0.flush()
    }
}

impl Write for Report {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        uefi::print!("{text}");
        self.0.write(text.as_bytes()).map_err(|_| fmt::Error)?;
        // A line is kept at once: at the next one the machine may hang.
        if text.ends_with('\n') { self.keep().map_err(|_| fmt::Error) } else { Ok(()) }
    }
}
