//! Instruction-based sampling (IBS): one op, or one fetch, and what the processor did with it. Families 10h to 1Ah have it.
//!
//! [`Op`] samples ops that retire: the instruction, its data's address, their source, the latency, the branch. [`Fetch`] samples
//! fetches. Each is a [`Sampler`](crate::precise::Sampler) for [`Records`](crate::precise::Records), beside the counters' driver,
//! with registers and a count of its own. It needs no memory.
//!
//! ```
//! use pmu::arch::x86::amd::{Identity, ibs};
//! use pmu::precise::{Operation, Record, Records};
//! use pmu::virt::Unconnected;
//! use pmu::{Event, Handled, Interrupted, Mode, Request};
//!
//! static RECORDS: Records<11, 64> = Records::new();
//!
//! // The processor; in a kernel it is `access::Ibs`.
//! let zen = Identity::ZEN_4.with_sampling(0xBFF);
//! let device = ibs::Device::new(ibs::Capabilities::discover(&zen)?, Unconnected);
//! let sampler = ibs::Op::detect(&zen, &device)?;
//!
//! let program = RECORDS.encode(&sampler, &Request::new(ibs::Op::OPS).every(0x1_0000))?;
//! RECORDS.start(&sampler, program);
//! device.advance(0x1_0000, 0x1_0000);
//! let mut load = Record::new(0x40_1000);
//! (load.operation, load.data_address) = (Some(Operation::Load), Some(0x7000_0040));
//! device.retire(&load); // the interrupt comes
//! let handled = RECORDS.on_interrupt(&sampler, Interrupted::new(0x40_1004, Mode::User));
//! assert_eq!(handled, Handled::Overflow);
//!
//! let record = RECORDS.read(&sampler)?.next().unwrap();
//! assert_eq!((record.address, record.data_address), (Some(0x40_1000), Some(0x7000_0040)));
//! # Ok::<(), pmu::Error>(())
//! ```
//!
//! # Codes of events
//!
//! An event code has the bits of the control register that choose what is counted and kept: of IbsOpCtl 19 (count dispatched
//! ops, not cycles) and 16 (only ops that missed the third-level cache); of IbsFetchCtl 57 (random low bits of the count) and 59
//! (only fetches that missed it). [`Op::OPS`] and [`Fetch::FETCHES`] are codes; [`Event::CYCLES`](crate::Event::CYCLES) is code 0
//! of ops.
//!
//! # Periods
//!
//! The hardware counts the period, tags the next op, and records it when it retires. Then the count stands until the interrupt
//! has been served. So a loop without other interrupts has one record every period and one ops. A period is a multiple of 16,
//! at least 144 of ops and 16 of fetches, at most 1,048,560, or 134,217,712 of ops where the count is extended (Zen has that). A
//! period shorter than the interrupt's handler leaves no time for anything else: FreeBSD takes none below 65,536.
//!
//! Where ops are counted, the hardware starts each period but the first at a random number below 128, so that a loop is not
//! sampled at the same place each time. Cycles are random enough by themselves.
//!
//! # The interrupt
//!
//! It goes through an entry of the local APIC of its own, whose number [`Op::entry`] returns. Once on each CPU the kernel writes
//! [`Lvtpc::NMI`](crate::arch::x86::Lvtpc::NMI) there: at 500H + 10H * entry above the APIC's base, or in x2APIC mode to
//! the MSR 850H + entry (APM vol. 2, "Extended Interrupt Local Vector Table"). The entry does not mask itself. On family 10h
//! firmware assigns none: the kernel writes 100H + entry to F3x1CC in the PCI configuration of each node before it detects.
//!
//! An interrupt can still come after a stop, without a record: [`Records`](crate::precise::Records) claims one.
//!
//! # Limits
//!
//! - Every mode is sampled. A request for others is refused: drop records by their address.
//! - A filter by the third-level cache starts a new period at each op that it drops, so the number of records says little.
//! - An op that is aborted leaves no record, and its period begins anew. A record is lost if its op is the write that stops: its
//!   interrupt comes late. So is one whose op retires just before that, if the interrupt is masked. An NMI never is.
//! - What the source of data is by number differs by model; before Zen 4 a near cache may be the third-level one. Of prefetches
//!   and of misses that join a pending one, families 19h below model 10h know no source (erratum 1293).
//! - Thresholds of latency (Zen 5), op data 4 and the extended control of fetches are not used.
//! - A host of SEV-SNP guests may be kept from sampling while they run.

mod capabilities;
mod device;
mod driver;
mod fetch;
mod op;
mod registers;

pub use capabilities::Capabilities;
pub use device::Device;
pub use fetch::Fetch;
pub use op::Op;
pub use registers::Register;
