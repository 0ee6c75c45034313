//! The page of a guest's memory that the firmware in software reads and writes: a snapshot of what stops and starts.

use std::cell::RefCell;
use std::collections::HashMap;

use pmu::Mode;
use pmu::arch::riscv::hpm::sbi::{Memory, SbiError};
use pmu::virt::{Device as _, Work};

use crate::riscv_host::{FEW, PMU, call, host};

/// A guest's memory: one page.
pub(crate) struct Page {
    address: u64,
    words: RefCell<HashMap<u64, u64>>,
    is_read_only: bool,
}

impl Page {
    pub(crate) fn new(address: u64) -> Self {
        Self { address, words: RefCell::default(), is_read_only: false }
    }
}

impl Memory for Page {
    fn read(&self, address: u64) -> Option<u64> {
        let is_inside = (self.address..self.address + 4096).contains(&address);
        is_inside.then(|| self.words.borrow().get(&address).copied().unwrap_or(0))
    }

    fn is_writable(&self, address: u64) -> bool {
        self.read(address).is_some() && !self.is_read_only
    }

    fn write(&self, address: u64, value: u64) -> Option<()> {
        self.read(address).filter(|_| !self.is_read_only)?;
        self.words.borrow_mut().insert(address, value);
        Some(())
    }
}

#[test]
fn a_snapshot_has_the_overflows_and_the_values_of_what_stops() {
    let host = host(FEW);
    let page = Page::new(0x8000_0000);
    let call = |function, arguments| host.call(PMU, function, arguments, &page);
    assert_eq!(call(4, [0, 8, 2, 0, 0, 0]), Err(SbiError::NoSharedMemory));
    assert_eq!(call(7, [0x8000_0008, 0, 0, 0, 0, 0]), Err(SbiError::InvalidParameter));
    assert_eq!(call(7, [0x9000_0000, 0, 0, 0, 0, 0]), Err(SbiError::InvalidAddress));
    assert_eq!(call(7, [0x8000_0000, 1, 0, 0, 0, 0]), Err(SbiError::InvalidAddress));
    assert_eq!(call(7, [0x8000_0000, 0, 0, 0, 0, 0]), Ok(0));
    page.write(0x8000_0008, u64::MAX - 9);
    assert_eq!(call(2, [3, 1, 0, 2, 0, 0]), Ok(3));
    assert_eq!(call(3, [3, 1, 2, 0, 0, 0]), Ok(0));
    host.advance(&Work::instructions(Mode::Kernel, 15));
    assert_eq!(call(4, [3, 1, 2, 0, 0, 0]), Ok(0));
    assert_eq!((page.read(0x8000_0000), page.read(0x8000_0008)), (Some(1), Some(5)), "by its number less the base");
    assert_eq!(call(7, [u64::MAX, u64::MAX, 0, 0, 0, 0]), Ok(0));
    assert_eq!(call(4, [3, 1, 2, 0, 0, 0]), Err(SbiError::NoSharedMemory));
}

/// The guest clears what it has seen; a stop says of the counters that it stops alone.
#[test]
fn a_snapshot_keeps_the_overflows_of_before_but_for_those_of_what_stops() {
    let host = host(FEW);
    let page = Page::new(0x8000_0000);
    let call = |function, arguments| host.call(PMU, function, arguments, &page);
    assert_eq!(call(7, [0x8000_0000, 0, 0, 0, 0, 0]), Ok(0));
    for (counter, value) in [(3, 0), (4, u64::MAX)] {
        assert_eq!(call(2, [0, 1 << counter, 0, 2, 0, 0]), Ok(counter));
        assert_eq!(call(3, [0, 1 << counter, 1, value, 0, 0]), Ok(0));
    }
    host.advance(&Work::instructions(Mode::Kernel, 5));
    page.write(0x8000_0000, !(1 << 4));
    assert_eq!(call(4, [0, 0b1_1000, 2, 0, 0, 0]), Ok(0));
    assert_eq!(page.read(0x8000_0000), Some(!(1 << 3)), "of the two the second has overflowed, and not the first");
}

#[test]
fn memory_that_a_guest_has_lost_meanwhile_is_refused() {
    let host = host(FEW);
    let page = Page::new(0x8000_0000);
    assert_eq!(host.call(PMU, 7, [0x8000_0000, 0, 0, 0, 0, 0], &page), Ok(0));
    assert_eq!(call(&host, 2, [0, 8, 0, 2, 0, 0]), Ok(3));
    let before = host.state();
    assert_eq!(call(&host, 3, [0, 8, 2, 0, 0, 0]), Err(SbiError::NoSharedMemory));
    assert_eq!(call(&host, 4, [0, 0b101, 2, 0, 0, 0]), Err(SbiError::NoSharedMemory));
    assert_eq!(host.state(), before);
}

/// "Set PMU Snapshot Shared Memory": the page is writable. A stop has no error for one that is not.
#[test]
fn memory_that_a_guest_cannot_write_is_refused_when_it_is_set_and_not_changed() {
    let host = host(FEW);
    let page = Page { is_read_only: true, ..Page::new(0x8000_0000) };
    let before = host.state();
    assert_eq!(host.call(PMU, 7, [0x8000_0000, 0, 0, 0, 0, 0], &page), Err(SbiError::InvalidAddress));
    assert_eq!(host.state(), before);
    let page = Page { is_read_only: false, ..page };
    assert_eq!(host.call(PMU, 7, [0x8000_0000, 0, 0, 0, 0, 0], &page), Ok(0));
    assert!(page.words.borrow().is_empty(), "the question writes nothing");
}
