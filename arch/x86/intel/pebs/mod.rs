//! Precise event-based sampling (PEBS), record formats 3 and 4: the processor itself writes into memory what one instruction did.
//! Skylake to Golden Cove have it, and the Atoms Goldmont to Gracemont.
//!
//! [`Pebs`] is a [`Sampler`](crate::precise::Sampler) for [`Records`](crate::precise::Records). It takes one general counter, and
//! memory of the kernel's for the processor to write to.
//!
//! ```
//! use std::sync::atomic::{AtomicU64, Ordering};
//! use pmu::arch::x86::{Unattached, intel::{Identity, pebs}};
//! use pmu::precise::Records;
//! use pmu::virt::{Kind, Kinds, Unconnected, Work};
//! use pmu::{Event, Handled, Interrupted, Mode, Request};
//!
//! #[repr(align(4096))]
//! struct Page([AtomicU64; 512]);
//! static PAGE: Page = Page([const { AtomicU64::new(0) }; 512]);
//! static RECORDS: Records<10, 64> = Records::new();
//! const LOADS: Event = Event::raw(0x81D0); // MEM_INST_RETIRED.ALL_LOADS
//!
//! // The memory as a host finds it; in a kernel the processor writes to it.
//! struct Memory;
//! impl pebs::GuestMemory for Memory {
//!     fn read(&self, address: u64) -> Option<u64> {
//!         word(address).map(|word| word.load(Ordering::Relaxed))
//!     }
//!     fn write(&self, address: u64, value: u64) -> Option<()> {
//!         word(address).map(|word| word.store(value, Ordering::Relaxed))
//!     }
//! }
//! fn word(address: u64) -> Option<&'static AtomicU64> {
//!     PAGE.0.get(address.checked_sub(PAGE.0.as_ptr() as u64)? as usize / 8)
//! }
//!
//! // The processor; in a kernel it is `access::DebugStore`.
//! let skylake = Identity::SKYLAKE.with_sampling(0x3C0);
//! let device = pebs::Device::new(&skylake, Kinds::CLOCK.with(Kind::Loads), Unconnected, Memory)?;
//! let sampler = pebs::Pebs::detect(&skylake, &device, Unattached, &PAGE.0)?;
//!
//! let program = RECORDS.encode(&sampler, &Request::new(LOADS).every(10_000))?;
//! RECORDS.start(&sampler, program);
//! device.advance(&Work::none(Mode::User).with(Kind::Loads, 10_000));
//! let load = pmu::precise::Record::new(0x40_1000);
//! device.retire(&Work::none(Mode::User).with(Kind::Loads, 1), &load, &[0; 18]); // the interrupt comes
//! let handled = RECORDS.on_interrupt(&sampler, Interrupted::new(0x40_1004, Mode::User));
//! assert_eq!(handled, Handled::Overflow);
//! assert_eq!(RECORDS.read(&sampler)?.next().unwrap().address, Some(0x40_1000));
//! # Ok::<(), pmu::Error>(())
//! ```
//!
//! # Events
//!
//! Only events that Intel's lists mark as precise ([`Marks::PRECISE`](crate::text::catalogue::Marks::PRECISE)) have records. They
//! are on general counters 0 to 3, or 0 to 7 with format 4; of Goldmont on counter 0 alone, and INST_RETIRED of Golden Cove on 1 to
//! 7. [`Event::INSTRUCTIONS`](crate::Event::INSTRUCTIONS) and [`Event::BRANCHES`](crate::Event::BRANCHES) are such events from Ice
//! Lake on, and not on Skylake.
//!
//! The data's address is known of events of loads and stores (D0H to D4H, CDH). Latency, source and translation are known of
//! MEM_TRANS_RETIRED.LOAD_LATENCY (01CDH) alone: it records loads of more cycles than its auxiliary value, 3 to 65,535. The
//! processor chooses which loads it times, so these are not every n-th. The event is refused from Golden Cove on, where it needs
//! another one beside it, and on small cores, which have one of their own.
//!
//! # Periods
//!
//! The counter's overflow arms the processor, and the *next* event is recorded, after which the counter starts anew (SDM vol. 3,
//! "Processor Event Based Sampling"). So there is one record every period and one events. A stop between the two delays the
//! record by two or three events.
//!
//! # The kernel's memory
//!
//! The words that [`Pebs::detect`] takes hold the debug store's management area and then the records, of 200 bytes (format 3) or
//! 64. They MUST be mapped, and never paged out, at the address that the slice has, in every address space that runs while
//! sampling goes on: also in those of user programs, where a kernel maps little of itself into them (SDM vol. 3, "Setting Up the
//! DS Save Area"). They should lie in pages of their own, because the processor takes writes near code for changes of the code.
//!
//! It interrupts after each record, or after as many as [`Pebs::with_threshold`] says. What is beyond that holds the records until
//! the interrupt is served. In a full buffer nothing is written and nobody is told ([`Pebs::found_full`]).
//!
//! # The interrupt
//!
//! It comes through the counters' own entry of the local APIC: the handler asks
//! [`Records::on_interrupt`](crate::precise::Records::on_interrupt). It reads one register to find out whose the interrupt is. The
//! entry is written when a program is started and after each interrupt, by the line that [`Pebs::detect`] takes. With
//! [`Unattached`](crate::arch::x86::Unattached) the kernel writes it: before a start, and after each interrupt, which masks it.
//!
//! # Limits
//!
//! - While a program is started, this CPU's [`Unit`](crate::Unit) MUST have no session and no thread: each of its starts and stops
//!   writes IA32_PERF_GLOBAL_CTRL whole, and the sampling would stop for good. Use one or the other on a CPU at a time. Its
//!   [`on_overflow`](crate::Unit::on_overflow) may be called: a unit without sessions leaves the register alone.
//! - A stop leaves IA32_DS_AREA, MSR_PEBS_DATA_CFG and the counter's bit of IA32_PERF_GLOBAL_CTRL as they are. Nothing counts by them.
//! - Fixed counters, the registers in the records, vector registers and branches of format 4 are not used.
//! - Formats 0 to 2 name the instruction after the one that they mean or cannot tell events that collide. Formats from 5 on are
//!   those of later cores, which have their reset values elsewhere. Architectural PEBS (CPUID leaf 23H, subleaves 4 and 5) has
//!   other registers and no debug store, and the crate knows of no processor that an author could try it on: it is not driven.
//! - A guest has records only where its host answers the registers by a [`Device`]: the address of the debug store is linear, and
//!   the processor would translate a guest's by the tables of whoever runs.

mod area;
mod capabilities;
mod device;
mod driver;
mod format;
mod registers;

pub use device::{Device, GuestMemory, Outcome};
pub use driver::Pebs;
pub use registers::Register;
