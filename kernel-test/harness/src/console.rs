//! The console: the board's, or in a guest above a host the host's.

#![expect(unsafe_code, reason = "the board's and the guest's way to print are kept as pointers")]

use core::fmt::{self, Write};
use core::mem::transmute;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use crate::guest::Guest;
use crate::world;

/// How text is printed.
type Print = fn(&str);

static BOARD: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());
static GUEST: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// The console, for `write!`. Before it is opened it says nothing.
#[derive(Clone, Copy, Debug)]
pub struct Console;

/// Opens the console: the board prints like this, and a guest asks its host to.
pub fn open<G: Guest>(board: Print) {
    BOARD.store(board as *mut (), Relaxed);
    GUEST.store(G::print as Print as *mut (), Relaxed);
}

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        print_by(if world::is_guest() { &GUEST } else { &BOARD }, text);
        Ok(())
    }
}

/// Prints this on the board's console, for a guest.
pub(crate) fn print_on_board(text: &str) {
    print_by(&BOARD, text);
}

fn print_by(way: &AtomicPtr<()>, text: &str) {
    let way = way.load(Relaxed);
    if !way.is_null() {
        // SAFETY: such functions alone are stored there.
        let print: Print = unsafe { transmute(way) };
        print(text);
    }
}

/// Prints a line to the [`Console`](crate::Console).
#[macro_export]
macro_rules! println {
    ($($arguments:tt)*) => {{
        use core::fmt::Write as _;
        let _ = writeln!($crate::Console, $($arguments)*);
    }};
}
