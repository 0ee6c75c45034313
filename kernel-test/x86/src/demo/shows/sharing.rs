//! False sharing: two threads count, each in a word of its own, and both words are in one cache line. A third thread's word has
//! a line of its own. IBS names the data of each op that it samples, which tells.

use core::arch::naked_asm;
use core::fmt;
use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use harness::threads::{Scheduler, Threads, Turn};
use harness::{Console, println};
use pmu::arch::x86::amd::ibs::Op;
use pmu::output::perf_data::{HexLines, PerfData};
use pmu::output::profile::{ImageId, Place, Profile, Resolver, Symbol};
use pmu::output::report::ProfileReport;
use pmu::precise::{DataSource, Operation, Record, Sampler, Translation};
use pmu::{Handled, Mode, Request};

use super::title;
use crate::boot;
use crate::guest::sampling::{self, Ops, Room, interrupted};
use crate::guest::{Here, enter_nmi_at, entry, threads};
use crate::identity;
use crate::trap::Frame;

/// Ops from one record to the next, which is one more: no multiple of the loop's three.
const PERIOD: u64 = 160;
/// How often a thread adds to its word, by a loop of three instructions.
const ROUNDS: u64 = 10_000;
/// Instructions of a turn.
const TURN: u64 = 5_009;
/// The bytes of a cache line.
const LINE: u64 = 64;

/// The words; those of the first two threads are in one line.
#[repr(C, align(64))]
struct Words {
    together: [AtomicUsize; 2],
    alone: Alone,
}

#[repr(C, align(64))]
struct Alone(AtomicUsize);

static WORDS: Words = Words { together: [const { AtomicUsize::new(0) }; 2], alone: Alone(AtomicUsize::new(0)) };
static RECORDS: Room = Room::new();
/// The thread that runs.
static WHO: AtomicU32 = AtomicU32::new(0);

/// The threads in the order of their words. A thread's number is one more than its place.
const NAMES: [&str; 3] = ["left", "right", "alone"];

fn word_of(thread: usize) -> &'static AtomicUsize {
    WORDS.together.get(thread).unwrap_or(&WORDS.alone.0)
}

/// The threads are images, so that one table tells whose access it was.
struct Whose([Symbol<'static>; 3]);

impl Resolver for Whose {
    fn resolve(&self, place: Place) -> Option<Symbol<'_>> {
        self.0[..].resolve(place.address.into())
    }

    fn image(&self, image: ImageId) -> Option<&str> {
        NAMES.get((image.0 as usize).checked_sub(1)?).copied()
    }
}

/// Prints what was accessed: by instruction, by its data, and by cache line. Shows nothing without sampling.
pub fn run() {
    if !identity::presented().processor.has_sampling() {
        return;
    }
    title(format_args!("sharing: a record each {PERIOD} ops of three threads; thread`word+offset"));
    let (mut data, mut lines) = (Profile::<8>::new(), Profile::<8>::new());
    let code = [&raw const sharing_add, &raw const sharing_end].map(|at| at as u64);
    sampled().for_each(|record| {
        if record.address.is_some_and(|address| (code[0] + 1..code[1]).contains(&address)) {
            assert_eq!((record.operation, record.data_address), (Some(Operation::None), None), "{record}");
        }
        let Some(address) = record.data_address.filter(|address| is_word(*address)) else { return };
        let access = (record.address, record.operation);
        assert_eq!(access, (Some(code[0]), Some(Operation::LoadAndStore)), "{record}");
        let image = ImageId(record.thread);
        data.add(Place { image, address }, 1);
        lines.add(Place { image, address: address - address % LINE }, 1);
    });
    let names = ["left's", "right's", "alone's"];
    let whose = Whose(core::array::from_fn(|thread| Symbol { name: names[thread], start: address_of(thread) }));
    println!("by the address of the data:\n{}", ProfileReport::by_address(&data, &whose));
    println!("by cache line, which two threads share that have no word in common:");
    println!("{}", ProfileReport::by_address(&lines, &whose));
    check(&data, &lines);
}

/// Each thread's word was accessed by nobody else; two are in one line.
fn check(data: &Profile<8>, lines: &Profile<8>) {
    for (thread, image) in (1..).map(ImageId).enumerate().take(NAMES.len()) {
        let address = address_of(thread);
        let found = data.at(Place { image, address });
        assert!(found > 50, "{found} records of {}", NAMES[thread]);
        assert_eq!(lines.at(Place { image, address: address - address % LINE }), found);
    }
    let is_shared = |line| lines.hits().iter().filter(|hits| hits.place.address == line).count() == 2;
    assert_eq!((data.hits().len(), lines.hits().len()), (3, 3));
    assert!(is_shared(address_of(0)) && !is_shared(address_of(2)));
}

fn address_of(thread: usize) -> u64 {
    word_of(thread).as_ptr() as u64
}

fn is_word(address: u64) -> bool {
    (0..NAMES.len()).any(|thread| address == address_of(thread))
}

/// Writes the records as a stream, in lines of hexadecimal digits.
pub fn stream() {
    write().expect("a console takes everything");
}

fn write() -> fmt::Result {
    let mut stream = PerfData::begin_precise(HexLines::new(Console), "ibs_op", PERIOD)?;
    stream.kernel(boot::code())?;
    (1..).zip(NAMES).try_for_each(|(thread, name)| stream.name(thread, thread, name))?;
    sampled().try_for_each(|record| stream.precise(record.thread, &record))?;
    stream.name(4, 4, "words")?;
    words().try_for_each(|record| stream.precise(4, &record))?;
    stream.finish()?.finish()
}

/// Each source, operation and translation that a record can have, which the host's book has not: for the words that perf has.
fn words() -> impl Iterator<Item = Record> {
    let of = |change: &dyn Fn(&mut Record)| {
        let mut record = Record::new(&raw const sharing_add as u64);
        record.mode = Some(Mode::Kernel);
        change(&mut record);
        record
    };
    let sources = SOURCES.into_iter().zip(1..).map(move |(source, latency)| {
        of(&|record| {
            (record.source, record.latency, record.operation) = (Some(source), Some(latency), Some(Operation::Load));
            (record.data_address, record.is_locked) = (Some(address_of(0)), Some(source == DataSource::Level3));
        })
    });
    let operations = OPERATIONS.map(|operation| of(&|record| record.operation = Some(operation)));
    let translations = TRANSLATIONS.map(|translation| of(&|record| record.translation = Some(translation)));
    sources.chain(operations).chain(translations).chain([of(&|record| record.mode = None)])
}

const SOURCES: [DataSource; 12] = [
    DataSource::Level1,
    DataSource::Pending,
    DataSource::Level2,
    DataSource::Level3,
    DataSource::NearCache,
    DataSource::FarCache,
    DataSource::Memory,
    DataSource::FarMemory,
    DataSource::PersistentMemory,
    DataSource::ExtensionMemory,
    DataSource::Device,
    DataSource::Uncached,
];
const OPERATIONS: [Operation; 4] = [Operation::Store, Operation::LoadAndStore, Operation::Prefetch, Operation::Fetch];
const TRANSLATIONS: [Translation; 3] = [Translation::Level1, Translation::Level2, Translation::Missed];

/// Runs the threads, and returns what was recorded of them.
fn sampled() -> impl Iterator<Item = Record> {
    enter_nmi_at(entry::nmi_stub());
    sampling::open(|frame: &mut Frame| {
        let at = interrupted(frame).in_thread(WHO.load(Relaxed));
        assert_eq!(RECORDS.on_interrupt(&sampling::ops(), at), Handled::Overflow);
    });
    let sampler = sampling::ops();
    let program = RECORDS.encode(&sampler, &Request::new(Op::OPS).every(PERIOD)).expect("it can be sampled");
    let mut turns = Turns { sampler, program, runs: [true; NAMES.len()], next: 0 };
    let mut all = Threads::<Here>::new(&mut turns);
    let beginning = |thread| threads::in_kernel(count as *const () as usize, word_of(thread).as_ptr() as usize);
    (0..NAMES.len()).for_each(|thread| all.begin(thread, beginning(thread)));
    all.run();
    assert!((0..NAMES.len()).all(|thread| word_of(thread).load(Relaxed) as u64 == ROUNDS));
    assert_eq!(RECORDS.statistics().lost.total(), 0, "the ring has room for all");
    (0..RECORDS.statistics().waiting).filter_map(move |_| RECORDS.read(&sampler).expect("nobody else reads").next())
}

/// One thread after the other, until all have ended. The threads are sampled, and what switches them is not.
struct Turns {
    sampler: Ops,
    program: <Ops as Sampler>::Program,
    runs: [bool; NAMES.len()],
    next: usize,
}

impl Scheduler<Frame> for Turns {
    fn switch(&mut self, left: Option<(usize, &Frame)>) -> Option<Turn> {
        if let Some((thread, frame)) = left {
            self.program = RECORDS.stop(&self.sampler, thread as u32 + 1).expect("it was started");
            self.runs[thread] = !threads::has_ended(frame);
        }
        let after = (0..NAMES.len()).map(|step| (self.next + step) % NAMES.len());
        let thread = after.into_iter().find(|&thread| self.runs[thread])?;
        self.next = thread + 1;
        WHO.store(thread as u32 + 1, Relaxed);
        RECORDS.start(&self.sampler, self.program);
        Some(Turn { thread, instructions: TURN })
    }
}

unsafe extern "C" {
    static sharing_add: u8;
    static sharing_end: u8;
}

/// A thread, with the address of its word in DI.
#[unsafe(naked)]
extern "C" fn count() {
    naked_asm!(
        "mov ecx, {rounds}",
        ".global sharing_add",
        "sharing_add:",
        "inc dword ptr [edi]",
        "dec ecx",
        "jnz sharing_add",
        ".global sharing_end",
        "sharing_end:",
        "ret",
        rounds = const ROUNDS,
    )
}
