//! From the words of the command line to what is run, on the processor that they name; and what a panic means.

#![expect(unsafe_code, reason = "a loader leaves words in memory, and the presented processor is found by a pointer")]

use core::fmt;
use core::panic::PanicInfo;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use crate::command_line::CommandLine;
use crate::guest::Guest;
use crate::report::Verdict;
use crate::{println, world};

/// A processor that a kernel can present, by its name on the command line.
pub trait Named {
    /// Returns the name.
    fn name(&self) -> &str;
}

/// The processor of this boot.
#[derive(Debug)]
pub struct Presented<I: 'static>(AtomicPtr<I>);

impl<I: Named> Presented<I> {
    /// None yet.
    #[expect(clippy::new_without_default, reason = "it is a static")]
    pub const fn new() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    /// Makes this the processor.
    pub fn set(&self, processor: &'static I) {
        self.0.store(ptr::from_ref(processor).cast_mut(), Relaxed);
    }

    /// Returns the processor.
    pub fn get(&self) -> &'static I {
        // SAFETY: only references that live for ever are stored there.
        unsafe { self.0.load(Relaxed).as_ref() }.expect("the kernel presents a processor before it does anything")
    }
}

/// Does what the command line says: presents the processor of `all` that it names, or else the `usual` one, and `run`s.
pub fn start<I: Named>(
    words: &str,
    (all, usual): (&'static [I], &'static I),
    presented: &Presented<I>,
    run: impl FnOnce(&'static I, &CommandLine<'_>) -> Verdict,
) -> Verdict {
    let options = match CommandLine::parse(words) {
        Ok(options) => options,
        Err(problem) => return refuse(problem),
    };
    let found = options.identity.map_or(Some(usual), |name| all.iter().find(|processor| processor.name() == name));
    match found {
        Some(processor) => {
            presented.set(processor);
            options.effort.choose();
            run(processor, &options)
        }
        None => refuse(Unknown { name: options.identity.unwrap_or_default(), all }),
    }
}

/// Says why nothing is run.
pub fn refuse(problem: impl fmt::Display) -> Verdict {
    println!("kernel: {problem}");
    Verdict::Failed
}

/// What a panic means: in a guest the end of its test, in the host the end of the run.
pub fn panicked<G: Guest>(panic: &PanicInfo, exit: fn(Verdict) -> !) -> ! {
    if world::is_guest() {
        G::fail(format_args!("{panic}"));
    }
    println!("kernel: the host panicked: {panic}");
    exit(Verdict::Failed)
}

/// There is no such processor in this image.
struct Unknown<'a, I> {
    name: &'a str,
    all: &'a [I],
}

impl<I: Named> fmt::Display for Unknown<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "identity={} is unknown; there are", self.name)?;
        self.all.iter().try_for_each(|processor| write!(f, " {}", processor.name()))
    }
}

/// Returns the words that a loader has left at this address, with a zero behind them: 256 bytes at the most.
///
/// # Safety
/// There is memory, which nobody writes any more.
pub unsafe fn words_at(address: usize) -> &'static str {
    const MOST: usize = 256;
    // SAFETY: the caller knows of the memory.
    let bytes = unsafe { core::slice::from_raw_parts(address as *const u8, MOST) };
    let words = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    core::str::from_utf8(words).unwrap_or("words-that-are-no-text")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Words;

    impl Named for &'static str {
        fn name(&self) -> &str {
            self
        }
    }

    static ALL: [&str; 2] = ["here", "there"];

    fn started(words: &str) -> (Verdict, Option<&'static str>) {
        let (presented, mut ran) = (Presented::new(), None);
        let verdict = start(words, (&ALL, &ALL[1]), &presented, |processor, _| {
            ran = Some(*processor);
            assert_eq!(presented.get(), processor);
            Verdict::Passed
        });
        (verdict, ran)
    }

    #[test]
    fn the_usual_processor_is_presented_unless_another_is_named() {
        assert_eq!(started(""), (Verdict::Passed, Some("there")));
        assert_eq!(started("identity=here"), (Verdict::Passed, Some("here")));
    }

    #[test]
    fn a_processor_that_there_is_not_is_refused_beside_those_that_there_are() {
        assert_eq!(started("identity=nowhere"), (Verdict::Failed, None));
        let unknown = Unknown { name: "nowhere", all: &ALL };
        let said = Words::from(format_args!("{unknown}"));
        assert_eq!(said.as_str(), "identity=nowhere is unknown; there are here there");
    }
}
