//! Code with interrupts off is sampled by the software event; LCOFI waits until they are on.

use harness::claim::sampling;
use harness::{Booked, Kernel};
use pmu::arch::riscv::hpm::sbi::Line;

use crate::csr;
use crate::guest::calls;
use crate::tests::UnderFirmware as Here;

const PERIODS: u64 = 20;

pub fn test() {
    let pmu = sampling::<Here>();
    for counter in Here::counters(&pmu.description()) {
        let mut sampler = Booked::<Here>::open(&pmu, Here::request(counter).every(Here::PERIOD));
        let _ = Here::unit().samples().expect("nobody else reads").count();
        sampler.start();
        csr::keep_out();
        Here::exactly(PERIODS * Here::PERIOD);
        let came = Here::unit().samples().expect("nobody else reads").count() as u64;
        csr::let_in();
        sampler.stop();
        match calls::line() {
            Line::Software => assert!(came >= PERIODS, "{counter}: {came}"),
            _ => assert_eq!(came, 0, "{counter}"),
        }
    }
}
