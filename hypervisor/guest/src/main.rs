//! The first process of the example hypervisor's guest: it measures itself by Linux' perf_event_open, and checks what it
//! finds.
//!
//! It prints a line for each test, as the test kernels do, and ends the machine.

#[cfg(not(target_arch = "x86_64"))]
mod board;
#[cfg_attr(target_arch = "x86_64", path = "x86/mod.rs")]
#[cfg_attr(target_arch = "riscv64", path = "riscv.rs")]
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
mod machine;
mod perf;

use std::io::{self, ErrorKind};
use std::ops::Range;
use std::{env, fs, mem, process, ptr};

use perf::{Count, Event, Hardware, Modes, Ring};

/// What a test finds, or the reason why it fails.
type Found = Result<String, String>;

/// A test, with the sentence that is its name.
type Test = (&'static str, fn() -> Found);

/// The tests of every processor, but the last one.
const TESTS: [Test; 7] = [
    ("linux_picks_its_own_driver", linux_picks_its_own_driver),
    ("a_loop_counts_exactly_in_user_mode", a_loop_counts_exactly_in_user_mode),
    ("user_and_kernel_make_both", user_and_kernel_make_both),
    ("events_of_a_group_count_the_same_instructions", events_of_a_group_count_the_same_instructions),
    ("what_the_host_cannot_observe_is_refused", what_the_host_cannot_observe_is_refused),
    ("samples_are_the_total_divided_by_the_period", samples_are_the_total_divided_by_the_period),
    ("events_that_take_turns_estimate_the_same", events_that_take_turns_estimate_the_same),
];

const LAST: Test = ("the_kernel_has_not_complained", the_kernel_has_not_complained);

fn main() {
    let words: Vec<_> = env::args().skip(1).collect();
    if process::id() != 1 {
        return machine::run_as_child(&words);
    }
    prepare();
    rehearse();
    let (mut passed, mut failed) = (0, 0);
    for (name, test) in machine::asked_for(&words).chain(&TESTS).chain(&machine::TESTS).chain([&LAST]) {
        match test() {
            Ok(found) => {
                passed += 1;
                println!("{found}\ntest {name} ... ok");
            }
            Err(reason) => {
                failed += 1;
                println!("test {name} ... FAILED: {reason}");
            }
        }
    }
    machine::end(passed, failed);
}

/// Prints how many tests have passed and failed.
fn summarise(passed: usize, failed: usize) {
    println!("kernel: {passed} passed, {failed} failed");
    // SAFETY: it waits until the line has left.
    unsafe { libc::tcdrain(libc::STDOUT_FILENO) };
}

/// Mounts what the kernel has to tell, takes the counter back that the watchdog of the kernel uses, and has the first CPU
/// for itself.
fn prepare() {
    for (kind, at) in [(c"proc", c"/proc"), (c"sysfs", c"/sys"), (c"devtmpfs", c"/dev")] {
        // SAFETY: the strings end in 0.
        unsafe { libc::mount(kind.as_ptr(), at.as_ptr(), kind.as_ptr(), 0, ptr::null()) };
    }
    pin(0);
    set("sched_rt_runtime_us", "-1");
    schedule(libc::SCHED_FIFO, 50);
    set("nmi_watchdog", "0");
    set("perf_cpu_time_max_percent", "95");
    set("randomize_va_space", "0"); // equal runs of a program have equal counts
}

fn schedule(policy: i32, sched_priority: i32) {
    let parameters = libc::sched_param { sched_priority };
    // SAFETY: the priority is one of those of this policy.
    unsafe { libc::sched_setscheduler(0, policy, &raw const parameters) };
}

/// Lets this thread run on this CPU alone.
fn pin(cpu: usize) {
    // SAFETY: a set of CPUs may be all zeros.
    let mut set: libc::cpu_set_t = unsafe { mem::zeroed() };
    // SAFETY: the set has this CPU.
    unsafe { libc::CPU_SET(cpu, &mut set) };
    // SAFETY: the set has the size that is said.
    unsafe { libc::sched_setaffinity(0, mem::size_of_val(&set), &raw const set) };
}

/// Sets a variable of the kernel.
fn set(name: &str, value: &str) {
    if let Err(error) = fs::write(format!("/proc/sys/kernel/{name}"), value) {
        println!("{name} cannot be set: {error}");
    }
}

/// Counts once for nothing: Linux' driver of the Pentium 4 sets a counter to what is left of the period of the last event
/// that it counted (6.1, arch/x86/events/intel/p4.c, `p4_pmu_set_period`, which reads `pmc_prev_left` too early). So the
/// first event of a counter is wrong there, and so is each that has been switched out, and each that takes turns.
fn rehearse() {
    for what in [Hardware::Instructions, Hardware::Cycles] {
        if let Ok(event) = open(what, Modes::User, None) {
            machine::run(event.descriptor(), 1);
        }
    }
}

/// The command line has the beginning of what the kernel's driver says: `driver=Skylake_events`.
fn linux_picks_its_own_driver() -> Found {
    let words = fs::read_to_string("/proc/cmdline").map_err(|error| error.to_string())?;
    let expected =
        words.split_whitespace().find_map(|word| word.strip_prefix("driver=")).unwrap_or("").replace('_', " ");
    let log = kernel_log();
    let line = driver(&log);
    if !line.is_empty() && line.replace('_', " ").starts_with(&expected) && !line.contains("software events only") {
        Ok(format!("driver: {line}"))
    } else {
        Err(format!("\"{line}\" does not begin with \"{expected}\""))
    }
}

/// What Linux says of its driver.
fn driver(log: &str) -> &str {
    log.lines().find_map(|line| line.split_once(machine::DRIVER)).map_or("", |(_, text)| text.trim_start())
}

fn a_loop_counts_exactly_in_user_mode() -> Found {
    let mut found = Vec::new();
    for turns in [1, 1000, 1_000_000, 1_000_000] {
        let event = open(Hardware::Instructions, Modes::User, None)?;
        machine::run(event.descriptor(), turns);
        let (count, expected) = (value(&event)?, 2 * turns + machine::BESIDE);
        if count != expected {
            return Err(format!("{count} instructions instead of {expected}"));
        }
        found.push(count.to_string());
    }
    Ok(format!("instructions:u: {}", found.join(", ")))
}

fn user_and_kernel_make_both() -> Found {
    const TURNS: u64 = 1_000_000;
    let user = open(Hardware::Instructions, Modes::User, None)?;
    let others = [Modes::Kernel, Modes::Both].map(|modes| Event::open(Hardware::Instructions, modes, Some(&user)));
    let [kernel, both] = match others {
        [Ok(kernel), Ok(both)] => [kernel, both],
        [Err(error), _] | [_, Err(error)] if error.kind() == ErrorKind::InvalidInput => {
            return Ok("the unit has fewer than three counters of instructions".to_owned());
        }
        _ => return Err("the group cannot be opened".to_owned()),
    };
    machine::run(user.descriptor(), TURNS);
    let [user, kernel, both] = [value(&user)?, value(&kernel)?, value(&both)?];
    let found = format!("instructions: {user} in user mode, {kernel} in the kernel, {both} in both");
    let is_exact = user == 2 * TURNS + machine::BESIDE && (user + kernel).abs_diff(both) <= machine::between_counters();
    if is_exact { Ok(found) } else { Err(found) }
}

fn events_of_a_group_count_the_same_instructions() -> Found {
    let first = open(Hardware::Instructions, Modes::User, None)?;
    let second = open(Hardware::Cycles, Modes::User, Some(&first))?;
    machine::run(first.descriptor(), 1_000_000);
    let [instructions, cycles] = [value(&first)?, value(&second)?];
    let found = format!("a group in user mode: {instructions} instructions, {cycles} cycles");
    // The host's clock has one cycle for each instruction.
    if instructions == 2_000_000 + machine::BESIDE && cycles == instructions { Ok(found) } else { Err(found) }
}

/// The architectural units announce their events. Others have no announcement.
fn what_the_host_cannot_observe_is_refused() -> Found {
    let is_announced = machine::announces_events();
    match Event::open(Hardware::CacheMisses, Modes::User, None) {
        Err(error) if is_announced => Ok(format!("cache-misses:u: {error}")),
        Ok(_) if is_announced => Err("cache-misses are counted, and nobody observes them".to_owned()),
        _ => Ok("the unit announces no events".to_owned()),
    }
}

fn samples_are_the_total_divided_by_the_period() -> Found {
    const PERIOD: u64 = 50_021;
    const TURNS: u64 = 2_000_000;
    let open = || Event::sample(Hardware::Instructions, Modes::User, PERIOD).map_err(|error| error.to_string());
    machine::run(open()?.descriptor(), 1); // see `rehearse`
    let event = open()?;
    let ring = Ring::map(&event).map_err(|error| error.to_string())?;
    machine::run(event.descriptor(), TURNS);
    let count = value(&event)?;
    let addresses = ring.addresses().ok_or("the ring has other records than samples")?;
    let outside: Vec<_> = addresses.iter().filter(|address| !code().contains(address)).collect();
    let found = format!("{} samples of {count} instructions, each {PERIOD}; elsewhere {outside:x?}", addresses.len());
    let is_exact = count == 2 * TURNS + machine::BESIDE && addresses.len() as u64 == count / PERIOD;
    let is_late = |address: &&u64| **address >> 63 != 0;
    let are_few = machine::OVERTAKEN.contains(&outside.len()) && outside.iter().all(is_late);
    if is_exact && are_few && alternate(&addresses) { Ok(found) } else { Err(found) }
}

/// The loop has two instructions, and the period is odd: every other sample is of the same one.
fn alternate(addresses: &[u64]) -> bool {
    let of = |first: usize| {
        let mut samples = addresses.iter().skip(first).step_by(2).filter(|address| code().contains(address));
        let address = samples.next()?;
        samples.all(|other| other == address).then_some(address)
    };
    matches!((of(0), of(1)), (Some(even), Some(odd)) if even != odd)
}

/// More events than any unit has counters.
fn events_that_take_turns_estimate_the_same() -> Found {
    const TURNS: u64 = 60_000_000;
    if driver(&kernel_log()).contains("Netburst") {
        return Ok("left out: see rehearse".to_owned());
    }
    let events = [(); 12].map(|()| open(Hardware::Instructions, Modes::User, None));
    let events = events.into_iter().collect::<Result<Vec<_>, _>>()?;
    events.iter().for_each(Event::enable);
    let another = open(Hardware::Cycles, Modes::Kernel, None)?;
    machine::run(another.descriptor(), TURNS);
    let counts = events.iter().map(Event::read).collect::<io::Result<Vec<_>>>().map_err(|error| error.to_string())?;
    let estimates: Vec<_> = counts.iter().map(estimate).collect();
    let (least, most) = (estimates.iter().min().copied().unwrap_or(0), estimates.iter().max().copied().unwrap_or(0));
    let found = format!("12 events in turn: {least} to {most} instructions of {}", 2 * TURNS);
    if least > 2 * TURNS * 8 / 10 && most < 2 * TURNS * 12 / 10 { Ok(found) } else { Err(found) }
}

fn estimate(count: &Count) -> u64 {
    (u128::from(count.value) * u128::from(count.enabled) / u128::from(count.running.max(1))) as u64
}

/// What Linux says at level 4, a warning, or above, except for what it says of the processor itself.
fn the_kernel_has_not_complained() -> Found {
    let log = kernel_log();
    let is_complaint = |line: &&str| ["<0>", "<1>", "<2>", "<3>", "<4>"].iter().any(|level| line.starts_with(level));
    let is_known = |line: &str| machine::KNOWN.iter().any(|known| line.contains(known));
    let complaints: Vec<_> = log.lines().filter(is_complaint).filter(|line| !is_known(line)).collect();
    if complaints.is_empty() { Ok("no warnings".to_owned()) } else { Err(complaints.join("\n")) }
}

fn kernel_log() -> String {
    const READ_ALL: i32 = 3;
    let mut bytes = vec![0_u8; 1 << 18];
    // SAFETY: the kernel writes at most so many bytes.
    let length = unsafe { libc::klogctl(READ_ALL, bytes.as_mut_ptr().cast(), bytes.len() as i32) };
    bytes.truncate(length.try_into().unwrap_or(0));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The addresses of what is counted.
fn code() -> Range<u64> {
    let begin = machine::measured as *const () as u64;
    begin..begin + 128
}

fn open(what: Hardware, modes: Modes, leader: Option<&Event>) -> Result<Event, String> {
    Event::open(what, modes, leader).map_err(|error| format!("perf_event_open: {error}"))
}

fn value(event: &Event) -> Result<u64, String> {
    event.read().map(|count| count.value).map_err(|error| error.to_string())
}
