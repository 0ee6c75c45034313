//! The drivers of the processors of 32 bits.

use harness::bench::{self, Accesses, Counting, Instructions, ThisCpu};
use pmu::arch::powerpc::Detected;
use pmu::arch::powerpc::access::{self, Hardware};
use pmu::arch::powerpc::classic::Classic;
use pmu::arch::powerpc::embedded::Embedded;

use super::{Hosted, measured, registers};
use crate::family;

type Sprs = Hardware<ThisCpu>;
type Pmrs = access::Embedded<ThisCpu>;

fn monitor() -> Pmrs {
    // SAFETY: as for `registers`.
    unsafe { access::Embedded::claim(ThisCpu) }
}

measured!(Classics, Instructions, Classic<Sprs>, Classic::detect(registers().version(), registers()));
measured!(ClassicsAccesses, Accesses, Classic<Counting<Sprs>>, {
    Classic::detect(registers().version(), Counting::new(registers()))
});
measured!(Embeddeds, Instructions, Embedded<Pmrs>, Embedded::detect(registers().version(), monitor()));
measured!(EmbeddedsAccesses, Accesses, Embedded<Counting<Pmrs>>, {
    Embedded::detect(registers().version(), Counting::new(monitor()))
});
measured!(Whichever, Instructions, Detected<Sprs, Pmrs>, {
    Detected::detect(registers().version(), registers(), monitor())
});

/// What the guest runs.
pub fn run() {
    match family::is_embedded() {
        true => {
            bench::run::<Embeddeds<Hosted>, EmbeddedsAccesses<Hosted>>();
            bench::measure_detected::<Embeddeds<Hosted>, Whichever<Hosted>>();
        }
        false => {
            bench::run::<Classics<Hosted>, ClassicsAccesses<Hosted>>();
            bench::measure_detected::<Classics<Hosted>, Whichever<Hosted>>();
        }
    }
}
