//! ArceOS with `pmu` in it: a kernel that others wrote, unpatched from crates.io. `glue.rs` and `machine` are what its author
//! adds, and this file measures.
//!
//! ```sh
//! rustup component add rust-src
//! RUSTC_BOOTSTRAP=1 cargo test --release   # in this folder: builds ArceOS for AArch64, and boots it in QEMU
//! RUSTC_BOOTSTRAP=1 cargo test --release --target riscv64gc-unknown-none-elf   # the same for RISC-V
//! ```

#![no_std]
#![no_main]

extern crate alloc;

mod glue;
#[cfg_attr(target_arch = "aarch64", path = "machine/aarch64.rs")]
#[cfg_attr(target_arch = "riscv64", path = "machine/riscv64.rs")]
mod machine;
#[cfg_attr(target_arch = "aarch64", path = "marks/aarch64.rs")]
#[cfg_attr(target_arch = "riscv64", path = "marks/riscv64.rs")]
mod marks;

use alloc::string::ToString;
use core::hint::{black_box, spin_loop};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use ax_runtime::hal::{self, boot};
use ax_runtime::task::sched::{CpuId, CpuSet};
use ax_runtime::task::thread::ThreadHandle;
use ax_runtime::task::thread::current::{set_current_thread_affinity, yield_current_cpu};
use ax_runtime::{console, thread};
use pmu::output::profile::{Profile, Symbol};
use pmu::output::report::ProfileReport;
use pmu::text::notation::Options;
use pmu::{Context, Error, Event, Request, Result};

use glue::{THREADS, this_unit};
use marks::{MARKS, MOVING, PERIOD, SAMPLED, mark};

macro_rules! println {
    ($($text:tt)*) => {
        writeln!(console::output().expect("there is a console"), $($text)*).expect("it prints")
    };
}

/// ArceOS' first thread. When it returns, the machine is powered off.
#[unsafe(no_mangle)]
extern "C" fn main() {
    #[cfg(target_arch = "aarch64")]
    machine::install_interrupt().expect("the interrupt is free");
    match measure() {
        Ok(()) => println!("example: done"),
        Err(error) => println!("example: {error}"),
    }
}

fn measure() -> Result<()> {
    for cpu in (0..hal::cpu_num()).rev() {
        move_to(cpu);
        count(cpu)?;
    }
    count_asked(boot::bootargs().unwrap_or_default())?; // on CPU 0, as all that follows
    profile()?;
    follow_threads()?;
    hurry()
}

/// Moves the thread that calls it.
fn move_to(cpu: usize) {
    set_current_thread_affinity(only(cpu)).expect("the CPU is there");
}

fn only(cpu: usize) -> CpuSet {
    let mut set = CpuSet::empty(hal::cpu_num());
    set.insert(CpuId::new(cpu as u32));
    set
}

/// Counts a closure, on a CPU that has come online.
fn count(cpu: usize) -> Result<()> {
    let pmu = glue::come_online()?;
    let ([marks, instructions], ()) = pmu.count([MARKS, Event::INSTRUCTIONS], || mark(1000))?;
    assert!(instructions > marks, "{instructions}");
    println!("cpu {cpu}: {marks} marks in {instructions} instructions, by {}", pmu.description());
    Ok(())
}

/// Counts what the kernel's command line asks for.
fn count_asked(command_line: &str) -> Result<()> {
    let pmu = this_unit()?.here()?;
    let options = match Options::<4, 1>::parse(command_line, pmu.processor()) {
        Ok(options) => options,
        Err(error) => {
            println!("{}", error.in_text(command_line));
            return Ok(());
        }
    };
    for given in options.sets() {
        let (counts, ()) = pmu.count_set(&given.set, || mark(2000))?;
        for (request, count) in given.set.requests().iter().zip(counts.values()) {
            println!("asked for: {request}: {count}");
        }
    }
    Ok(())
}

/// Samples two functions by the overflow interrupt.
fn profile() -> Result<()> {
    let unit = this_unit()?;
    let mut session = unit.here()?.open([Request::new(Event::CYCLES).every(100_003)])?;
    session.start()?;
    (0..50).for_each(|_| {
        hot();
        cold();
    });
    session.stop()?;
    let mut profile = Profile::<256>::new();
    let mut samples = unit.samples()?;
    profile.extend(samples.by_ref().filter(|sample| session.request_of(sample).is_some()));
    let mut symbols =
        [("hot", hot as fn()), ("cold", cold)].map(|(name, function)| Symbol { name, start: function as usize as u64 });
    symbols.sort_unstable_by_key(|symbol| symbol.start);
    println!("{}lost: {}", ProfileReport::by_symbol(&profile, &symbols[..]), samples.lost());
    Ok(())
}

#[inline(never)]
fn hot() {
    (0..175_000).for_each(|turn| _ = black_box(turn));
}

#[inline(never)]
fn cold() {
    (0..65_000).for_each(|turn| _ = black_box(turn));
}

/// Follows threads: what one does is in neither the count nor the samples of the other.
fn follow_threads() -> Result<()> {
    let (here, anywhere) = (only(0), CpuSet::all(hal::cpu_num()));
    run("preempted", (MARKS.into(), "marks"), &here, [30_000, 10_000], mark_beside_another)?;
    let threads = run("sampling", SAMPLED, &here, [60_000, 20_000], mark_beside_another)?;
    let mut samples = [0; 2];
    for sample in this_unit()?.samples()? {
        for (samples, &(thread, _)) in samples.iter_mut().zip(&threads) {
            *samples += u64::from(THREADS[thread].lock_irqsave().request_of(&sample).is_some());
        }
    }
    println!("sampling: {} and {} samples", samples[0], samples[1]);
    assert_eq!(samples, threads.map(|(_, counted)| counted / PERIOD), "each period has left a sample");
    run("moving", (MARKS.into(), "marks"), &anywhere, MOVING, |marks| {
        for turn in 0..20 {
            move_to(turn % 2);
            mark(marks / 20);
        }
    })?;
    Ok(())
}

/// Marks once another thread has begun too, which on one CPU takes a tick that preempts.
fn mark_beside_another(marks: u32) {
    static BEGUN: AtomicU32 = AtomicU32::new(0);
    let even = (BEGUN.fetch_add(1, Relaxed) | 1) + 1;
    while BEGUN.load(Relaxed) < even {
        spin_loop();
    }
    mark(marks);
}

/// Runs two threads at the same time, prints what was counted of them, and returns it with their numbers.
fn run(name: &str, of: (Request, &str), cpus: &CpuSet, marks: [u32; 2], work: fn(u32)) -> Result<[(usize, u64); 2]> {
    let spawn = |marks| {
        let thread = thread::builder(name.to_string()).affinity(cpus.clone()).extension(glue::extension());
        let thread = thread.prepare(move || work(marks)).expect("there is memory");
        let number = thread.thread_handle().id().slot();
        let mut context = Context::new(number);
        context.bind(&this_unit()?.here()?, [of.0])?;
        *THREADS[number as usize].lock_irqsave() = context;
        Ok::<_, Error>(thread.publish().expect("it is ready"))
    };
    let threads = [spawn(marks[0])?, spawn(marks[1])?];
    let numbers = threads.each_ref().map(|thread| thread.id().slot() as usize);
    let [first, second] = threads.map(counted);
    let (first, second) = (first?, second?);
    println!("{name}: {first} and {second} {} of their own", of.1);
    Ok([(numbers[0], first), (numbers[1], second)])
}

/// Returns what was counted of a thread until its end.
fn counted(thread: ThreadHandle) -> Result<u64> {
    let number = thread.id().slot() as usize;
    thread.join().expect("it ends");
    for _ in 0..1000 {
        let counts = THREADS[number].lock_irqsave().counts();
        match counts {
            Err(Error::ThreadIn) => yield_current_cpu().expect("it may yield"), // it is about to leave its CPU
            counts => return counts.map(|counts| counts.raw[0]),
        }
    }
    Err(Error::ThreadIn)
}

/// Samples by a period that ArceOS' way into an interrupt cannot keep up with.
fn hurry() -> Result<()> {
    let unit = this_unit()?;
    let mut session = unit.here()?.open([Request::new(Event::CYCLES).every(2000)])?;
    session.start()?;
    (0..10).for_each(|_| hot());
    session.stop()?;
    let samples = unit.samples()?;
    assert!(samples.lost().throttled > 0);
    println!("every 2000 cycles is too often: {}", samples.statistics());
    Ok(())
}
