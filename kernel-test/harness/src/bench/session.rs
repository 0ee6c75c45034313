//! What do starting and stopping, opening and closing cost?

use core::hint::black_box;
use core::mem::drop as close;

use pmu::{Pmu, Request, Result, Session};

use super::figures::Figures;
use super::requests::choose;
use super::{Cost, Measured, Reached};

/// Prints the figures.
pub(super) fn measure<S: Measured>(figures: &Figures<S>) {
    let (first, again) = figures.open().map(start_and_stop::<S>).unzip();
    figures.print("start_stop.first", first, Reached::Called);
    figures.print("start_stop.again", again, Reached::Called);
    several::<S, 1>(figures);
    several::<S, 4>(figures);
}

/// The first time since the session was opened, and the second.
fn start_and_stop<S: Measured>(mut session: Session<'static, S::Driver, 1>) -> (S::Cost, S::Cost) {
    (start_and_stop_once::<S>(&mut session), start_and_stop_once::<S>(&mut session))
}

/// With what is compiled into the caller, of which nothing is known but the session's address.
#[inline(never)]
fn start_and_stop_once<S: Measured>(session: &mut Session<'static, S::Driver, 1>) -> S::Cost {
    let (cost, went) = S::Cost::measure::<S::Kernel, _>(|| session.start().is_ok() & session.stop().is_ok());
    assert!(went);
    cost
}

fn several<S: Measured, const N: usize>(figures: &Figures<S>) {
    let cost = choose(&figures.pmu, &[], None).map(|requests: [Request; N]| open_and_close::<S, N>(figures, requests));
    figures.print(format_args!("open_close.{N}"), cost, Reached::Called);
}

type Open<D, const N: usize> = fn(&Pmu<'static, D>, [Request; N]) -> Result<Session<'static, D, N>>;

fn open_and_close<S: Measured, const N: usize>(figures: &Figures<S>, requests: [Request; N]) -> S::Cost {
    let open: Open<S::Driver, N> = black_box(Pmu::open::<Request, N>);
    let close: fn(Result<Session<'static, S::Driver, N>>) = black_box(close);
    let requests = black_box(requests);
    let (cost, opened) = S::Cost::measure::<S::Kernel, _>(|| {
        let session = open(&figures.pmu, requests);
        let opened = session.is_ok();
        close(session);
        opened
    });
    assert!(opened);
    cost
}
