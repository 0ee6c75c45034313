//! What is the same on QEMU's boards of Arm and of RISC-V: how the machine ends, and a program that may read no counter.

use std::process::{Command, ExitStatus};

use crate::perf::{Event, Hardware, Modes};
use crate::{Found, summarise};

/// The exit status of a program whose instruction was refused.
const REFUSED: i32 = 1;

/// Ends the machine: it is turned off if all went well, and else started again, which the host takes for a failure.
pub fn end(passed: usize, failed: usize) -> ! {
    summarise(passed, failed);
    let command = if failed == 0 { libc::RB_POWER_OFF } else { libc::RB_AUTOBOOT };
    // SAFETY: it does not come back, and nothing is to be kept.
    unsafe { libc::reboot(command) };
    unreachable!("the first process may end the machine");
}

/// A test: the host observes no branches on either.
pub fn branches_are_refused_too() -> Found {
    match Event::open(Hardware::Branches, Modes::User, None) {
        Err(error) => Ok(format!("branches:u: {error}")),
        Ok(_) => Err("branches are counted, and nobody observes them".to_owned()),
    }
}

/// Runs this program once more, as [`run_as_child`](crate::machine::run_as_child).
pub fn run_child() -> Result<ExitStatus, String> {
    Command::new("/init").status().map_err(|error| error.to_string())
}

/// Was an instruction of that program refused?
pub fn was_refused(status: ExitStatus) -> bool {
    status.code() == Some(REFUSED)
}

/// From here on this program ends with an instruction that is refused.
pub fn end_if_refused() {
    // SAFETY: the handler may be called anywhere, and does not come back.
    unsafe { libc::signal(libc::SIGILL, refuse as *const () as libc::sighandler_t) };
}

extern "C" fn refuse(_: i32) {
    // SAFETY: it ends this process and does nothing else.
    unsafe { libc::_exit(REFUSED) };
}
