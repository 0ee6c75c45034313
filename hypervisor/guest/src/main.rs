//! The first process of the example hypervisor's guest: it measures itself by Linux' perf_event_open, and checks what it
//! finds.
//!
//! It prints a line for each test, as the test kernels do, and ends the machine.

mod cpus;
mod perf;
mod tool;
mod work;

use std::io::{self, ErrorKind};
use std::{env, fs, process, ptr};

use perf::{Count, Event, Hardware, Modes, Ring};

/// What a test finds, or the reason why it fails.
type Found = Result<String, String>;

/// A test, with the sentence that is its name.
type Test = (&'static str, fn() -> Found);

const TESTS: [Test; 11] = [
    ("linux_picks_its_own_driver", linux_picks_its_own_driver),
    ("a_loop_counts_exactly_in_user_mode", a_loop_counts_exactly_in_user_mode),
    ("the_hosts_book_agrees", the_hosts_book_agrees),
    ("user_and_kernel_make_both", user_and_kernel_make_both),
    ("events_of_a_group_count_the_same_instructions", events_of_a_group_count_the_same_instructions),
    ("branches_are_counted_one_by_one", branches_are_counted_one_by_one),
    ("what_the_host_cannot_observe_is_refused", what_the_host_cannot_observe_is_refused),
    ("samples_are_the_total_divided_by_the_period", samples_are_the_total_divided_by_the_period),
    ("events_that_take_turns_estimate_the_same", events_that_take_turns_estimate_the_same),
    ("the_watchdog_of_the_kernel_interrupts", the_watchdog_of_the_kernel_interrupts),
    ("the_kernel_has_not_complained", the_kernel_has_not_complained),
];

const WITH_PERF: [Test; 2] = [
    ("perf_stat_counts_exactly", tool::perf_stat_counts_exactly),
    ("perf_record_samples_exactly", tool::perf_record_samples_exactly),
];

const WITH_TWO_CPUS: [Test; 3] = [
    ("two_cpus_count_exactly_at_once", cpus::two_cpus_count_exactly_at_once),
    ("a_thread_that_moves_counts_the_same", cpus::a_thread_that_moves_counts_the_same),
    ("an_event_of_a_cpu_counts_what_runs_there", cpus::an_event_of_a_cpu_counts_what_runs_there),
];

fn main() {
    let words: Vec<_> = env::args().skip(1).collect();
    if process::id() != 1 {
        // Under perf: the loop alone.
        for turns in words.iter().filter_map(|turns| turns.parse().ok()) {
            println!("the host has seen {} instructions of the loop in user mode", work::run(NO_EVENT, turns));
        }
        return;
    }
    prepare();
    rehearse();
    // Linux passes on what it does not know of its command line.
    let has = |word| words.iter().any(|other| other == word);
    let with_perf = if has("perf") { WITH_PERF.as_slice() } else { &[] };
    let with_two_cpus = if has("two-cpus") { WITH_TWO_CPUS.as_slice() } else { &[] };
    let (mut passed, mut failed) = (0, 0);
    for (name, test) in with_perf.iter().chain(with_two_cpus).chain(&TESTS) {
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
    println!("kernel: {passed} passed, {failed} failed");
    // SAFETY: it waits until the last line has left.
    unsafe { libc::tcdrain(libc::STDOUT_FILENO) };
    work::end(failed == 0);
}

/// Mounts what the kernel has to tell, takes the counter back that the watchdog of the kernel uses, and has the first CPU
/// for itself.
fn prepare() {
    for (kind, at) in [(c"proc", c"/proc"), (c"sysfs", c"/sys"), (c"devtmpfs", c"/dev")] {
        // SAFETY: the strings end in 0.
        unsafe { libc::mount(kind.as_ptr(), at.as_ptr(), kind.as_ptr(), 0, ptr::null()) };
    }
    cpus::pin(0);
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
            work::run(event.descriptor(), 1);
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
    if !line.is_empty() && line.starts_with(&expected) && !line.contains("software events only") {
        Ok(format!("driver: {line}"))
    } else {
        Err(format!("\"{line}\" does not begin with \"{expected}\""))
    }
}

/// What Linux says of its driver.
fn driver(log: &str) -> &str {
    log.lines().find_map(|line| line.split_once("Performance Events: ")).map_or("", |(_, text)| text.trim_start())
}

fn a_loop_counts_exactly_in_user_mode() -> Found {
    let mut found = Vec::new();
    for turns in [1, 1000, 1_000_000, 1_000_000] {
        let event = open(Hardware::Instructions, Modes::User, None)?;
        work::run(event.descriptor(), turns);
        let (count, expected) = (value(&event)?, 2 * turns + work::BESIDE);
        if count != expected {
            return Err(format!("{count} instructions instead of {expected}"));
        }
        found.push(count.to_string());
    }
    Ok(format!("instructions:u: {}", found.join(", ")))
}

fn the_hosts_book_agrees() -> Found {
    let event = open(Hardware::Instructions, Modes::User, None)?;
    let host = work::run(event.descriptor(), 2_000_000);
    let guest = value(&event)?;
    let found = format!("instructions:u: the guest has counted {guest}, the host has seen {host}");
    if host == guest + work::OUTSIDE { Ok(found) } else { Err(found) }
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
    work::run(user.descriptor(), TURNS);
    let [user, kernel, both] = [value(&user)?, value(&kernel)?, value(&both)?];
    let found = format!("instructions: {user} in user mode, {kernel} in the kernel, {both} in both");
    let is_exact = user == 2 * TURNS + work::BESIDE && (user + kernel).abs_diff(both) <= between_counters();
    if is_exact { Ok(found) } else { Err(found) }
}

/// The instructions of Linux' driver between one counter of a group and the next, if the unit has no control of all
/// counters: the architectural ones from version 2 on have.
fn between_counters() -> u64 {
    if driver(&kernel_log()).contains("Intel PMU driver") { 0 } else { 100 }
}

fn events_of_a_group_count_the_same_instructions() -> Found {
    let first = open(Hardware::Instructions, Modes::User, None)?;
    let second = open(Hardware::Cycles, Modes::User, Some(&first))?;
    work::run(first.descriptor(), 1_000_000);
    let [instructions, cycles] = [value(&first)?, value(&second)?];
    let found = format!("a group in user mode: {instructions} instructions, {cycles} cycles");
    // The host's clock has one cycle for each instruction.
    if instructions == 2_000_000 + work::BESIDE && cycles == instructions { Ok(found) } else { Err(found) }
}

/// Each turn of the loop ends with a branch, and the system call is one.
fn branches_are_counted_one_by_one() -> Found {
    const TURNS: u64 = 1000;
    if driver(&kernel_log()).contains("Netburst") {
        return Ok("left out: the device does not count the types of branches that Linux selects".to_owned());
    }
    let event = open(Hardware::Branches, Modes::User, None)?;
    work::run(event.descriptor(), TURNS);
    let (count, expected) = (value(&event)?, TURNS + 1);
    let found = format!("branches:u: {count} of {expected}");
    if count == expected { Ok(found) } else { Err(found) }
}

/// The architectural units announce their events. Others have no announcement.
fn what_the_host_cannot_observe_is_refused() -> Found {
    let is_announced = driver(&kernel_log()).contains("Intel PMU driver");
    match Event::open(Hardware::CacheMisses, Modes::User, None) {
        Err(error) if is_announced => Ok(format!("cache-misses:u: {error}")),
        Ok(_) if is_announced => Err("cache-misses are counted, and nobody observes them".to_owned()),
        _ => Ok("the unit announces no events".to_owned()),
    }
}

fn samples_are_the_total_divided_by_the_period() -> Found {
    const PERIOD: u64 = 50_021;
    let open = || Event::sample(Hardware::Instructions, Modes::User, PERIOD).map_err(|error| error.to_string());
    work::run(open()?.descriptor(), 1); // see `rehearse`
    let event = open()?;
    let ring = Ring::map(&event).map_err(|error| error.to_string())?;
    work::run(event.descriptor(), 2_000_000);
    let count = value(&event)?;
    let addresses = ring.addresses().ok_or("the ring has other records than samples")?;
    let outside = addresses.iter().filter(|address| !work::code().contains(address)).count();
    let found = format!("{} samples of {count} instructions, each {PERIOD}; {outside} elsewhere", addresses.len());
    if addresses.len() as u64 == count / PERIOD && outside == 0 { Ok(found) } else { Err(found) }
}

/// More events than any unit has counters.
fn events_that_take_turns_estimate_the_same() -> Found {
    if driver(&kernel_log()).contains("Netburst") {
        return Ok("left out: see rehearse".to_owned());
    }
    const TURNS: u64 = 60_000_000;
    let events = [(); 12].map(|()| open(Hardware::Instructions, Modes::User, None));
    let events = events.into_iter().collect::<Result<Vec<_>, _>>()?;
    events.iter().for_each(Event::enable);
    let another = open(Hardware::Cycles, Modes::Kernel, None)?;
    work::run(another.descriptor(), TURNS);
    let counts = events.iter().map(Event::read).collect::<io::Result<Vec<_>>>().map_err(|error| error.to_string())?;
    let estimates: Vec<_> = counts.iter().map(estimate).collect();
    let (least, most) = (estimates.iter().min().copied().unwrap_or(0), estimates.iter().max().copied().unwrap_or(0));
    let found = format!("12 events in turn: {least} to {most} instructions of {}", 2 * TURNS);
    if least > 2 * TURNS * 8 / 10 && most < 2 * TURNS * 12 / 10 { Ok(found) } else { Err(found) }
}

fn estimate(count: &Count) -> u64 {
    (u128::from(count.value) * u128::from(count.enabled) / u128::from(count.running.max(1))) as u64
}

/// The watchdog counts the cycles of the longest time that the kernel may be deaf, which is a second here.
fn the_watchdog_of_the_kernel_interrupts() -> Found {
    const TURNS: u64 = 550_000_000; // 1.1 seconds
    schedule(libc::SCHED_OTHER, 0);
    set("watchdog_thresh", "1");
    for is_on in ["1", "0", "1"] {
        set("nmi_watchdog", is_on); // see `rehearse`
    }
    let before = nmis();
    work::run(NO_EVENT, TURNS);
    let interrupts = nmis() - before;
    set("nmi_watchdog", "0");
    let found = format!("the watchdog has interrupted {interrupts} times in 1.1 seconds");
    if interrupts == 1 { Ok(found) } else { Err(found) }
}

/// A file that is not open, so that nothing is counted.
const NO_EVENT: i32 = -1;

/// How many NMIs the first CPU has taken.
fn nmis() -> u64 {
    let interrupts = fs::read_to_string("/proc/interrupts").unwrap_or_default();
    let line = interrupts.lines().find_map(|line| line.trim().strip_prefix("NMI:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// What Linux says at level 4, a warning, or above, except for what it says of the processor itself.
fn the_kernel_has_not_complained() -> Found {
    let log = kernel_log();
    let is_complaint = |line: &&str| ["<0>", "<1>", "<2>", "<3>", "<4>"].iter().any(|level| line.starts_with(level));
    let is_known = |line: &str| KNOWN.iter().any(|known| line.contains(known));
    let complaints: Vec<_> = log.lines().filter(is_complaint).filter(|line| !is_known(line)).collect();
    if complaints.is_empty() { Ok("no warnings".to_owned()) } else { Err(complaints.join("\n")) }
}

/// What Linux says of events that are not announced, on each Core 2, on a Zen 4 whose firmware does not control its
/// frequency, and of a second CPU, whose memory types QEMU forgets when it is started.
const KNOWN: [&str; 5] = [
    "CPUID marked event: ",
    "PEBS disabled due to CPU errata",
    "amd_pstate: ",
    "Please enable it if your BIOS has the CPPC option.",
    "mtrr: your CPUs had inconsistent ",
];

fn kernel_log() -> String {
    const READ_ALL: i32 = 3;
    let mut bytes = vec![0_u8; 1 << 18];
    // SAFETY: the kernel writes at most so many bytes.
    let length = unsafe { libc::klogctl(READ_ALL, bytes.as_mut_ptr().cast(), bytes.len() as i32) };
    bytes.truncate(length.try_into().unwrap_or(0));
    String::from_utf8_lossy(&bytes).into_owned()
}

fn open(what: Hardware, modes: Modes, leader: Option<&Event>) -> Result<Event, String> {
    Event::open(what, modes, leader).map_err(|error| format!("perf_event_open: {error}"))
}

fn value(event: &Event) -> Result<u64, String> {
    event.read().map(|count| count.value).map_err(|error| error.to_string())
}
