//! A sample's chain as a folded stack: one line, from which other tools draw a flame graph.

use core::fmt::{self, Write};

use super::samples::{FullName, Name};
use crate::result::profile::{Place, Resolver};
use crate::sample::Sample;
use crate::sample::chain::{Chain, End};

/// A sample and its chain as a folded stack: the functions from the outermost to the interrupted one with `;`
/// between them, a space, and the number of samples, which is 1.
///
/// ```text
/// outermost;left;spin 1
/// ```
/// Flame graph tools (Brendan Gregg's `flamegraph.pl`, the crate `inferno`), speedscope and Firefox' profiler read such
/// lines, and add up those that are equal. [`FoldedStack::under`] puts another frame first, for example the name of
/// the thread, as `stackcollapse-perf.pl` puts the command's.
///
/// If callers are missing, the first frame says why in brackets: `[cut]`, the reason why the walk was aborted, such as
/// `[unreadable]`, or `[lost]` if the chain was lost. A function that the resolver does not know is printed as its
/// address and `?`. If images have names, they stand before the functions', as in
/// ``init`copy``. In names `;` becomes `:`, and a control character becomes a space.
///
/// ```
/// use pmu::samples::chain::Chains;
/// use pmu::output::profile::Symbol;
/// use pmu::output::report::FoldedStack;
/// use pmu::{Interrupted, Mode, Timer}; // a Unit's overflows are the same
///
/// static TIMER: Timer<64> = Timer::new();
/// static CHAINS: Chains<16, 64> = Chains::new(); // 16 callers at the most
/// TIMER.tick_chained(Interrupted::new(0x1084, Mode::Kernel).in_thread(7), &CHAINS, |callers| {
///     callers.push(0x1008);
///     Ok(())
/// });
///
/// let symbols = [Symbol { name: "read", start: 0x1000 }, Symbol { name: "copy", start: 0x1080 }];
/// for (sample, chain) in CHAINS.pair(TIMER.samples()?)? {
///     let stack = FoldedStack::new(&sample, chain.as_ref(), &symbols[..]);
///     assert_eq!(stack.to_string(), "read;copy 1"); // println!("{stack}") in a kernel
///     assert_eq!(stack.under("shell").to_string(), "shell;read;copy 1");
/// }
/// # Ok::<(), pmu::Error>(())
/// ```
#[derive(Debug)]
pub struct FoldedStack<'a, R: ?Sized, const DEPTH: usize> {
    sample: &'a Sample,
    chain: Option<&'a Chain<DEPTH>>,
    resolver: &'a R,
    root: Option<&'a str>,
}

impl<R: ?Sized, const DEPTH: usize> Clone for FoldedStack<'_, R, DEPTH> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: ?Sized, const DEPTH: usize> Copy for FoldedStack<'_, R, DEPTH> {}

impl<'a, R: Resolver + ?Sized, const DEPTH: usize> FoldedStack<'a, R, DEPTH> {
    /// Prepares a sample from [`Chained`](crate::samples::chain::Chained) for printing.
    #[must_use]
    pub const fn new(sample: &'a Sample, chain: Option<&'a Chain<DEPTH>>, resolver: &'a R) -> Self {
        Self { sample, chain, resolver, root: None }
    }

    /// Puts a frame of this name before all others.
    #[must_use]
    pub const fn under(self, root: &'a str) -> Self {
        Self { root: Some(root), ..self }
    }

    /// Returns a place in each function, the outermost first.
    fn functions(&self) -> impl Iterator<Item = Place> {
        let callers = self.chain.map_or(&[][..], Chain::callers);
        let addresses = callers.iter().rev().map(|caller| caller.wrapping_sub(1)).chain([self.sample.address]);
        addresses.map(|address| self.resolver.locate(self.sample, address))
    }
}

impl<R: Resolver + ?Sized, const DEPTH: usize> fmt::Display for FoldedStack<'_, R, DEPTH> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(root) = self.root {
            write!(Frame { f }, "{root}")?;
            f.write_str(";")?;
        }
        match self.chain.map(Chain::end) {
            Some(End::Outermost) => {}
            Some(end) => write!(f, "[{end}];")?,
            None => f.write_str("[lost];")?,
        }
        for (depth, place) in self.functions().enumerate() {
            f.write_str(if depth > 0 { ";" } else { "" })?;
            write!(Frame { f }, "{}", FullName(Name { place, resolver: self.resolver }))?;
        }
        f.write_str(" 1")
    }
}

/// Replaces what would end the frame or the line.
struct Frame<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
}

impl Write for Frame<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|character| match character {
            ';' => self.f.write_char(':'),
            _ if character.is_control() => self.f.write_char(' '),
            _ => self.f.write_char(character),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::profile::{ImageId, Nameless, Symbol};
    use crate::sample::chain::{Broken, Chains};
    use crate::{Interrupted, Mode, Timer};

    const SYMBOLS: [Symbol; 3] = [
        Symbol { name: "main", start: 0x100 },
        Symbol { name: "<[u8; 4]>::copy", start: 0x200 },
        Symbol { name: "a\nb", start: 0x300 },
    ];

    /// The stack of a sample at this address, whose walk finds these return addresses.
    fn folded(address: u64, callers: &[u64], walked: Result<(), Broken>, root: Option<&str>) -> String {
        let (timer, chains) = (Timer::<1>::new(), Chains::<2, 1>::new());
        timer.tick_chained(Interrupted::new(address, Mode::Kernel), &chains, |walk| {
            let _ = callers.iter().all(|&caller| walk.push(caller));
            walked
        });
        let (sample, chain) = chains.pair(timer.samples().unwrap()).unwrap().next().unwrap();
        let stack = FoldedStack::new(&sample, chain.as_ref(), &SYMBOLS[..]);
        root.map_or(stack, |root| stack.under(root)).to_string()
    }

    #[test]
    fn a_stack_goes_from_the_outermost_function_to_the_interrupted_one() {
        assert_eq!(folded(0x210, &[0x108], Ok(()), None), "main;<[u8: 4]>::copy 1");
        assert_eq!(folded(0x110, &[], Ok(()), None), "main 1");
    }

    #[test]
    fn a_call_that_is_its_functions_last_instruction_is_that_functions() {
        assert_eq!(folded(0x110, &[0x200], Ok(()), None), "main;main 1");
    }

    #[test]
    fn a_root_comes_first_and_cannot_end_its_frame() {
        assert_eq!(folded(0x110, &[], Ok(()), Some("init; 1\n")), "init: 1 ;main 1");
    }

    #[test]
    fn a_name_cannot_end_its_frame_nor_its_line() {
        assert_eq!(folded(0x300, &[], Ok(()), None), "a b 1");
    }

    #[test]
    fn a_function_stands_behind_the_name_of_its_image() {
        struct Program;
        impl Resolver for Program {
            fn resolve(&self, place: Place) -> Option<Symbol<'_>> {
                SYMBOLS[..].resolve(place)
            }
            fn image(&self, _: ImageId) -> Option<&str> {
                Some("init;")
            }
        }
        let timer = Timer::<1>::new();
        timer.tick(Interrupted::new(0x110, Mode::User));
        let sample = timer.samples().unwrap().next().unwrap();
        assert_eq!(FoldedStack::<_, 1>::new(&sample, None, &Program).to_string(), "[lost];init:`main 1");
    }

    #[test]
    fn a_stack_whose_callers_are_missing_says_why() {
        assert_eq!(folded(0x110, &[0x108, 0x108, 0x108], Ok(()), Some("init")), "init;[cut];main;main;main 1");
        assert_eq!(folded(0x110, &[0x108], Err(Broken::Unreadable), None), "[unreadable];main;main 1");
        let timer = Timer::<1>::new();
        timer.tick(Interrupted::new(0x10, Mode::User));
        let sample = timer.samples().unwrap().next().unwrap();
        assert_eq!(FoldedStack::<_, 1>::new(&sample, None, &Nameless).to_string(), "[lost];0x0000000000000010 ? 1");
    }
}
