//! What is added to ArceOS on RISC-V: the firmware's software event, which does not pass through ArceOS.

use alloc::boxed::Box;

use ax_runtime::hal::dtb;
use pmu::Result;
use pmu::arch::riscv::access::Firmware;
use pmu::arch::riscv::hpm::sbi::{Line, Sbi};
use pmu::arch::riscv::hpm::{Announced, Extensions, Model};

use crate::glue::{self, Mine};

pub type Driver = Sbi<Firmware<Mine>>;

pmu::event_entry!(OverflowEvent, |at| _ = glue::on_overflow(at));

/// Registers this hart's event beforehand, with a stack of its own.
pub fn detect() -> Result<Driver> {
    let stack = Box::leak(Box::new([0_u128; 512])).as_ptr_range().end.addr();
    // SAFETY: ArceOS runs in supervisor mode; the entry keeps every register, and nobody else uses its stack.
    let registered = unsafe { Firmware::register_event(OverflowEvent::address(), stack) };
    registered.unwrap_or_else(|error| panic!("the firmware has no software events: {error}"));
    let mut nodes = dtb::get_fdt().into_iter().flat_map(|tree| tree.all_nodes());
    let isa = nodes.find_map(|node| node.find_property("riscv,isa")).map_or("", |property| property.str());
    let announced = Announced::new(Extensions::from_isa(isa)).with_model(Model::Qemu);
    // SAFETY: as above, and ArceOS leaves the unit alone.
    Sbi::detect(unsafe { Firmware::claim(Mine) }, &announced, Line::Software, &[])
}
