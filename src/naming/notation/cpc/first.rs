//! The two forms of libcpc's first version (`cpc_strtoevent`), each for two counters.

use super::super::scan::Piece;
use super::super::{Error, Problem, Processor};
use super::{Cpc, Reader};
use crate::event::catalogue::{Attribute, Effect};
use crate::event::{Flag, Set};

/// The attributes of the Pentium's events in the first version (`cpc_strtoevent`). It has no edges: `noedge` counts the
/// clocks for which an event lasts, as its unit mask does.
const PENTIUM: [Attribute; 2] = [
    Attribute { name: "noedge", effect: Effect::UnitMask, largest: 1 },
    Attribute { name: "pc", effect: Effect::Flag(Flag::PinControl), largest: 1 },
];

/// The attributes of the Pentium Pro's events.
const PENTIUM_PRO: [Attribute; 6] = [
    Attribute { name: "noedge", effect: Effect::NoFlag(Flag::Edge), largest: 1 },
    Attribute { name: "pc", effect: Effect::Flag(Flag::PinControl), largest: 1 },
    Attribute { name: "inv", effect: Effect::Flag(Flag::Invert), largest: 1 },
    Attribute { name: "int", effect: Effect::Interrupt, largest: 1 },
    Attribute { name: "cmask", effect: Effect::Threshold, largest: 255 },
    Attribute { name: "umask", effect: Effect::UnitMask, largest: 255 },
];

/// The Pentium that a text of the first version is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pentium {
    /// The Pentium, with or without MMX.
    P5,
    /// The Pentium Pro, II and III.
    P6,
}

impl Cpc<'_> {
    /// Parses the first version's form for the UltraSPARC: `pic0=ev,pic1=ev[,sys][,nouser]`, both events
    /// and nothing else.
    ///
    /// # Errors
    /// Those of [`Self::parse`]. Also if one of the two events is missing.
    pub fn parse_ultrasparc<const N: usize>(text: &str, processor: Processor) -> Result<Set<N>, Error> {
        both(text, Reader { processor, attributes: &[] })
    }

    /// Parses the first version's form for the Pentiums: both events, and `sys nouser noedge pc`; for the Pentium Pro and
    /// later also `inv int cmask= umask=`. An attribute has the number of a counter, or is for both. Of the Pentium Pro and
    /// later, the edges of events are counted unless `noedge` is given. `int` changes nothing: a counter always interrupts
    /// if its request needs it.
    ///
    /// # Errors
    /// Those of [`Self::parse`]. Also if one of the two events is missing.
    pub fn parse_pentium<const N: usize>(text: &str, processor: Processor, which: Pentium) -> Result<Set<N>, Error> {
        let attributes = if which == Pentium::P6 { PENTIUM_PRO.as_slice() } else { PENTIUM.as_slice() };
        both(text, Reader { processor, attributes })
    }
}

fn both<const N: usize>(text: &str, reader: Reader) -> Result<Set<N>, Error> {
    let set = reader.read(Piece::whole(text))?;
    match set.len() {
        2 => Ok(set),
        _ => Err(Piece::whole(text).error_after(Problem::Expected("an event for each of the two counters"))),
    }
}
