//! The drivers of the processors of 32 bits.

use harness::bench::{self, Accesses, Counting, Instructions, ThisCpu};
use pmu::arch::powerpc::access::{self, Hardware};
use pmu::arch::powerpc::classic::Classic;
use pmu::arch::powerpc::embedded::Embedded;
use pmu::arch::powerpc::{Detected, detect};

use super::{Hosted, measured, registers};
use crate::family;

type Sprs = Hardware<ThisCpu>;
type Pmrs = access::Embedded<ThisCpu>;

fn monitor() -> Pmrs {
    // SAFETY: as for `registers`.
    unsafe { access::Embedded::claim(ThisCpu) }
}

measured!(Classics, Hosted, Instructions, Classic<Sprs>, Classic::detect(registers().version(), registers()));
measured!(ClassicsAccesses, Hosted, Accesses, Classic<Counting<Sprs>>, {
    Classic::detect(registers().version(), Counting::new(registers()))
});
measured!(Embeddeds, Hosted, Instructions, Embedded<Pmrs>, Embedded::detect(registers().version(), monitor()));
measured!(EmbeddedsAccesses, Hosted, Accesses, Embedded<Counting<Pmrs>>, {
    Embedded::detect(registers().version(), Counting::new(monitor()))
});
measured!(Whichever, Hosted, Instructions, Detected<Sprs, Pmrs>, {
    detect(registers().version(), registers(), monitor())
});

/// What the guest runs.
pub fn run() {
    match family::is_embedded() {
        true => {
            bench::run::<Embeddeds, EmbeddedsAccesses>();
            bench::measure_detected::<Embeddeds, Whichever>();
        }
        false => {
            bench::run::<Classics, ClassicsAccesses>();
            bench::measure_detected::<Classics, Whichever>();
        }
    }
}
