//! What each counter of a device counts, decoded from its registers when these have changed and kept since.
//!
//! A host reports work at every exit, and a guest changes selectors rarely. A device notes which counters' registers were
//! written ([`Table::touch`]), and decodes these before it counts again.

use core::cell::Cell;

use super::work::{Observed, Source, Work};
use super::{Filter, Kinds};
use crate::event::{CounterId, CounterSet, Mode, Modes, Request};

/// All modes, in the order of their numbers.
const MODES: [Mode; 3] = [Mode::User, Mode::Kernel, Mode::Hypervisor];
/// The number of counters that a set can have.
const COUNTERS: usize = 64;

/// What a counter selects, for a host that feeds it event by event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selection {
    raw: u64,
    modes: Modes,
    kinds: Kinds,
    request: Option<Request>,
}

impl Selection {
    /// Returns the selection as the guest wrote it: the counter's own selector (x86, Arm, MIPS and embedded PowerPC),
    /// its control bits at the bottom (Intel's fixed counters), its ESCR above its CCCR (Pentium 4), or the number that it
    /// selects in a register that counters share (other PowerPC; SPARC).
    #[must_use]
    pub const fn raw(self) -> u64 {
        self.raw
    }

    /// Returns the modes in which the counter counts. They are empty if it does not run, and if the host does not let the
    /// guest count the event.
    #[must_use]
    pub const fn modes(self) -> Modes {
        self.modes
    }

    /// Returns the kinds of work that it counts. They are empty for an event that is no kind of work, and for what the
    /// unit itself does.
    #[must_use]
    pub const fn kinds(self) -> Kinds {
        self.kinds
    }

    /// Returns the request that counts the same on the processor that the guest is shown, restricted to the same modes among
    /// user and kernel. Returns `None` if no request expresses it (a counter merged with another, a threshold of Arm's, a
    /// counter for all threads), and for units other than Intel's, AMD's and PMUv3.
    #[must_use]
    pub const fn request(self) -> Option<Request> {
        self.request
    }
}

/// What the registers of one counter say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Selected {
    /// The modes in which it counts while it is enabled; none if it counts nothing.
    pub(crate) modes: Modes,
    pub(crate) source: Source,
    /// Whether its overflow may interrupt.
    pub(crate) interrupts: bool,
}

/// What each counter counts.
#[derive(Debug)]
pub(crate) struct Table {
    observed: Cell<Observed>,
    /// The modes that the unit distinguishes.
    modes: Modes,
    is_current: Cell<bool>,
    /// The counters whose registers have changed.
    stale: Cell<CounterSet>,
    sources: [Cell<Source>; COUNTERS],
    /// By mode: the counters whose registers select it.
    selecting: [Cell<CounterSet>; MODES.len()],
    /// By mode: those of them that are enabled.
    counting: [Cell<CounterSet>; MODES.len()],
    /// The counters that are so in some mode.
    running: Cell<CounterSet>,
    interrupting: Cell<CounterSet>,
    /// The counters for whose overflow a host stops its guest.
    awaited: Cell<CounterSet>,
}

impl Table {
    /// Creates the table of a unit that distinguishes these modes, and whose host observes this.
    pub(crate) fn new(observed: impl Into<Observed>, modes: Modes) -> Self {
        Self {
            observed: Cell::new(observed.into()),
            modes,
            is_current: Cell::new(false),
            stale: Cell::new(CounterSet::ALL),
            sources: [const { Cell::new(Source::UNTOLD) }; COUNTERS],
            selecting: [const { Cell::new(CounterSet::EMPTY) }; MODES.len()],
            counting: [const { Cell::new(CounterSet::EMPTY) }; MODES.len()],
            running: Cell::new(CounterSet::EMPTY),
            interrupting: Cell::new(CounterSet::EMPTY),
            awaited: Cell::new(CounterSet::EMPTY),
        }
    }

    /// Notes that the selections of these counters have changed.
    #[inline(always)]
    pub(crate) fn touch(&self, counters: CounterSet) {
        self.touch_enables();
        self.stale.set(self.stale.get().or(counters));
    }

    /// Notes that other counters are enabled, or awaited.
    #[inline(always)]
    pub(crate) fn touch_enables(&self) {
        self.is_current.set(false);
    }

    /// Sets what of the guest's events counts from now on.
    pub(crate) fn set_filter(&self, filter: Filter) {
        self.observed.set(self.observed.get().filtered(filter));
        self.touch(CounterSet::ALL);
    }

    /// Returns what a counter counts.
    #[inline(always)]
    pub(crate) fn source(&self, id: CounterId) -> Source {
        self.sources[id.index()].get()
    }

    /// Returns how many events of `work` a counter counts that counts in its mode.
    #[inline(always)]
    pub(crate) fn events(&self, id: CounterId, work: &Work) -> u64 {
        work.of_source(self.source(id))
    }

    /// Returns the counters whose overflow may interrupt.
    #[inline(always)]
    pub(crate) fn interrupting(&self) -> CounterSet {
        self.interrupting.get()
    }

    /// Returns the counters for whose overflow a host stops its guest, whether they count or not.
    #[inline(always)]
    pub(crate) fn awaited(&self) -> CounterSet {
        self.awaited.get()
    }

    fn put(&self, id: CounterId, selected: Selected) {
        self.sources[id.index()].set(selected.source);
        put(&self.interrupting, id, selected.interrupts);
        for (mode, set) in MODES.into_iter().zip(&self.selecting) {
            put(set, id, selected.modes.contains(mode));
        }
    }
}

/// Adds a counter to a set or removes it.
pub(crate) fn put(set: &Cell<CounterSet>, id: CounterId, is_in: bool) {
    let others = set.get().without(id.only());
    set.set(if is_in { others.or(id.only()) } else { others });
}

/// A device that decodes its registers into a [`Table`]. A family implements the required functions; the others follow.
pub(crate) trait Decode {
    /// Returns the table.
    fn table(&self) -> &Table;
    /// Returns the counters that exist.
    fn existing(&self) -> CounterSet;
    /// Decodes the registers of a counter.
    fn decode(&self, id: CounterId) -> Selected;
    /// Keeps what a family needs to know of a counter beside that, after a change of its registers.
    fn keep(&self, _id: CounterId) {}
    /// Returns the counters that are enabled in this mode, whatever they select.
    fn enabled(&self, mode: Mode) -> CounterSet;
    /// Returns the selection of a counter as it was written.
    fn raw(&self, id: CounterId) -> u64;
    /// Returns the counters for whose overflow a host stops its guest, whether they count or not.
    fn awaited(&self) -> CounterSet {
        self.table().interrupting()
    }
    /// Returns true if a counter always counts the same event.
    fn is_fixed(&self, _id: CounterId) -> bool {
        false
    }

    /// Returns the request for what a counter selects, in whatever modes, or `None` if there is none.
    fn request(&self, _id: CounterId) -> Option<Request> {
        None
    }

    /// Returns the counters that count something in this mode now.
    #[inline(always)]
    fn counting(&self, mode: Mode) -> CounterSet {
        self.bring_up_to_date();
        self.table().counting[mode as usize].get()
    }

    /// Decodes what has changed.
    #[inline(always)]
    fn bring_up_to_date(&self) {
        if !self.table().is_current.get() {
            self.decode_changed();
        }
        debug_assert!(self.is_right(), "a register was written, and the table not touched");
    }

    #[cold]
    #[inline(never)]
    fn decode_changed(&self) {
        let table = self.table();
        let changed = table.stale.replace(CounterSet::EMPTY).and(self.existing());
        for id in changed {
            table.put(id, self.selected(id));
            self.keep(id);
        }
        let mut running = CounterSet::EMPTY;
        for (mode, (selecting, counting)) in MODES.into_iter().zip(table.selecting.iter().zip(&table.counting)) {
            counting.set(selecting.get().and(self.enabled(mode)));
            running = running.or(counting.get());
        }
        table.running.set(running);
        table.awaited.set(self.awaited());
        table.is_current.set(true);
    }

    /// Returns what a counter counts: nothing, if the host does not let the guest count it.
    fn selected(&self, id: CounterId) -> Selected {
        let selected = self.decode(id);
        if self.lets(id) { selected } else { Selected { modes: Modes::NONE, source: Source::UNTOLD, ..selected } }
    }

    /// Returns true if the host lets the guest count what the counter selects.
    fn lets(&self, id: CounterId) -> bool {
        let selection = if self.is_fixed(id) { None } else { Some(self.raw(id)) };
        self.table().observed.get().lets(id, selection)
    }

    /// Returns true if the table says what the registers do.
    fn is_right(&self) -> bool {
        let table = self.table();
        let is_in = |sets: &[Cell<CounterSet>; MODES.len()], mode: Mode, id| sets[mode as usize].get().contains(id);
        let is_awaited = table.awaited() == self.awaited();
        is_awaited
            && self.existing().into_iter().all(|id| {
                let selected = self.selected(id);
                let modes = |&mode: &Mode| {
                    let selects = selected.modes.contains(mode);
                    is_in(&table.selecting, mode, id) == selects
                        && is_in(&table.counting, mode, id) == (selects && self.enabled(mode).contains(id))
                };
                let is_same = table.source(id) == selected.source;
                is_same && table.interrupting().contains(id) == selected.interrupts && MODES.iter().all(modes)
            })
    }

    /// Returns the counters that count something in some mode.
    #[inline(always)]
    fn running(&self) -> CounterSet {
        self.bring_up_to_date();
        self.table().running.get()
    }

    /// Returns the modes in which a counter counts now.
    fn modes_of(&self, id: CounterId) -> Modes {
        let counts = |mode: &Mode| self.counting(*mode).contains(id);
        MODES.into_iter().filter(counts).fold(Modes::NONE, |all, mode| all.and(mode.only()))
    }

    /// Returns the kinds that running counters count.
    fn wanted_kinds(&self) -> Kinds {
        let kinds = self.running().into_iter().map(|id| self.table().source(id).kinds());
        kinds.fold(Kinds::NONE, Kinds::or)
    }

    /// Returns the running counters of what the host does not observe.
    fn unfed_counters(&self) -> CounterSet {
        let Table { observed, modes, .. } = self.table();
        let is_fed = |id| observed.get().feeds(self.table().source(id), self.modes_of(id), *modes);
        self.running().into_iter().filter(|&id| !is_fed(id)).collect()
    }

    /// Returns the counters that would run if the host let the guest count what they select.
    fn withheld_counters(&self) -> CounterSet {
        let runs =
            |id| MODES.iter().any(|&mode| self.decode(id).modes.contains(mode) && self.enabled(mode).contains(id));
        self.existing().into_iter().filter(|&id| !self.lets(id) && runs(id)).collect()
    }

    /// Returns what a counter selects, or `None` if it does not exist.
    fn selection_of(&self, id: CounterId) -> Option<Selection> {
        let modes = self.modes_of(id);
        let kinds = self.table().source(id).kinds();
        let request = self.request(id).map(|request| request.modes(Modes::ALL.both(modes)));
        self.existing().contains(id).then(|| Selection { raw: self.raw(id), modes, kinds, request })
    }
}
