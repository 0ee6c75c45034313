//! Which CPU does a test seem to run on?

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pmu::CpuId;

/// No test pretends to be elsewhere.
const REALLY: u32 = u32::MAX;

static SEEMING: AtomicU32 = AtomicU32::new(REALLY);

/// Returns the CPU that a test pretends to be on, or else the real one.
#[must_use]
pub fn of(real: CpuId) -> CpuId {
    match SEEMING.load(Relaxed) {
        REALLY => real,
        elsewhere => CpuId(elsewhere),
    }
}

/// Pretends to be on another CPU until told otherwise; `None` is the real one.
pub fn seem_to_be_on(cpu: Option<CpuId>) {
    SEEMING.store(cpu.map_or(REALLY, |cpu| cpu.0), Relaxed);
}

/// A kernel with one CPU, which is CPU 0 unless a test pretends otherwise.
#[derive(Clone, Copy, Debug)]
pub struct OneCpu;

impl pmu::Kernel for OneCpu {
    #[inline(always)]
    fn cpu(&self) -> CpuId {
        of(CpuId(0))
    }
}
