//! A small hypervisor on x86-64 whose guest, Debian's own Linux, has a performance-monitoring unit of the crate's.
//!
//! It uses AMD's SVM, which QEMU emulates, and has one guest, with one or two CPUs. Each is a real CPU, with a host and a
//! unit of its own. The guest has the real machine: memory (but for 2 MiB), devices, interrupts. It does not have the local
//! APIC's timer, which the host uses. The unit is what is virtual: CPUID, RDMSR, WRMSR and RDPMC leave the guest and are
//! answered by a device of the crate, and its overflow comes back as an NMI.
//!
//! Where the processor that the guest is shown records branches, the guest has its recorder. If the guest shuts down, by a
//! triple fault, the host prints the last branches that it has had recorded.
//!
//! The guest starts its second CPU as it would start a real one. It cannot reset a CPU that it has started, and an NMI from
//! one CPU to another does not arrive.
//!
//! Read it in this order:
//!
//! | file | what it does |
//! |---|---|
//! | `machine` | the loop: enter, report what has retired, inject, carry out |
//! | `registers` | which registers leave the guest, and who answers |
//! | `interrupts` | from an overflow to the guest's NMI |
//! | `identity` | the processor that the guest is shown |
//! | `modes` | which instructions were ring 3's |
//! | `branches` | which instructions were branches, and of which kind |
//! | `turns` | whose clock it is, if there are several CPUs |
//! | `world` | the world switch, and the clock that counts instructions |
//! | `memory`, `linux`, `tables`, and `kernel-test/metal` | what every hypervisor has |
//!
//! The command line: `identity=skylake -- ` and the guest's own. With `move` the guest's unit moves at each exit, as it does
//! to another host: it becomes bytes, from which another unit is restored.

#![no_std]
#![no_main]

mod branches;
mod identity;
mod interrupts;
mod linux;
mod machine;
mod memory;
mod modes;
mod permissions;
mod registers;
mod tables;
mod turns;
mod world;

use core::arch::asm;
use core::panic::PanicInfo;

use metal::{boot, println};
use pmu::arch::x86::guest::Unit;
use x86::msr::wrmsr;

use identity::{Line, OBSERVED};
use machine::{Ending, Machine};
use memory::NestedTables;
use permissions::Permissions;

/// VM_HSAVE_PA: where VMRUN keeps the host's registers (APM volume 2, section 15.30.4).
const SAVE_AREA: u32 = 0xc001_0117;

/// The page behind [`SAVE_AREA`].
#[repr(C, align(4096))]
struct SaveArea([u8; 4096]);

/// Where [`metal::boot`] leads, once on each CPU.
#[unsafe(no_mangle)]
extern "C" fn kernel_entry() -> ! {
    let start = boot::start_info();
    let (own, command_line) = start.command_line().split_once("-- ").unwrap_or((start.command_line(), ""));
    let name = own.split_whitespace().find_map(|word| word.strip_prefix("identity=")).unwrap_or("skylake");
    let Some(identity) = identity::named(name) else {
        println!("hypervisor: identity={name} is unknown");
        metal::end(false);
    };
    let save_area = SaveArea([0; 4096]);
    let cpu = interrupts::this_cpu();
    if cpu == 0 {
        tables::fill();
    }
    tables::load();
    // SAFETY: the page is the host's and outlives the guest.
    unsafe { wrmsr(SAVE_AREA, &raw const save_area as u64) };
    // SAFETY: nothing in the host waits for an interrupt. The world switch opens a window for the timer's.
    unsafe { asm!("clgi", options(nostack)) };
    if cpu == 0 {
        interrupts::start_others();
    }
    let page = turns::wait(cpu);
    let line = Line::default();
    let unit = || Unit::new(identity, OBSERVED, &line).with_branches();
    let spare = own.split_whitespace().any(|word| word == "move").then(unit);
    let mut tables = NestedTables::empty();
    let mut machine = Machine::new(cpu, unit(), spare, &line, &mut tables);
    if cpu == 0 {
        machine.load(start, command_line);
    } else {
        machine.begin(page);
    }
    match machine.run(&Permissions::of_host()) {
        Ending::Asked { went_well } => metal::end(went_well),
        Ending::Shutdown { instruction } => metal::end(report_shutdown(&machine, instruction)),
        Ending::Unexpected { code, information: [first, second], instruction } => {
            println!("hypervisor: exit {code:#x} ({first:#x}, {second:#x}) at {instruction:#x}");
            metal::end(false);
        }
    }
}

/// Prints the way into a triple fault. Returns true if the guest has announced it.
fn report_shutdown(machine: &Machine<'_>, instruction: u64) -> bool {
    let branches = machine.last_branches();
    println!("hypervisor: the guest has shut down at {instruction:#x}; its last branches:");
    branches.iter().for_each(|branch| println!("{branch}"));
    let Some(function) = machine.last_function() else { return false };
    let is_seen = branches.iter().any(|branch| branch.to == function);
    println!("test the_host_prints_the_branches_before_a_shutdown ... {}", if is_seen { "ok" } else { "FAILED" });
    is_seen
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    println!("hypervisor: {panic}");
    metal::end(false)
}
