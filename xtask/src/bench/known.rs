//! What is a figure compared with: what it shall reach, and what others take for the same.
//!
//! The peers were measured under the same emulator, in instructions: Linux 6.1's perf with its system calls; LiMiT's and
//! Linux's reads from user space; OProfile's placement, as its sources have it.

/// What there is to say about one figure.
pub(super) struct Known {
    pub(super) name: &'static str,
    /// It shall be no more than this.
    pub(super) target: Option<u64>,
    /// The least that the instructions themselves take, and what others do.
    peer: &'static str,
    /// Why it misses its target, if it does.
    miss: &'static str,
}

/// Every figure, in the order of the table.
const ALL: [Known; 61] = [
    known("x86.read.narrow.1", 8, "floor 4: mov, rdpmc, shl, or; LiMiT 5"),
    known("x86.read.narrow.4", 32, "floor 16"),
    known("x86.read.wide.1", 18, "floor 4; Linux's user page read 28"),
    known("x86.read.wide.4", 54, "floor 16; Linux's user page read 109"),
    Known { name: "x86.read.checked.1", target: None, peer: "the CPU's number, by a call, is in it", miss: "" },
    Known { name: "x86.interrupt.1", target: Some(150), peer: "Linux 1866", miss: NOT_YET },
    Known { name: "x86.interrupt.4", target: Some(300), peer: "Linux 4831", miss: NOT_YET },
    Known { name: "x86.start_stop.1", target: Some(75), peer: "Linux's ioctl pair 4684", miss: NOT_YET },
    Known { name: "x86.open_close.1", target: Some(320), peer: "Linux's open + close 8986", miss: NOT_YET },
    known("x86.switch.0", 6, "out and in of a thread that counts nothing"),
    Known { name: "x86.switch.1", target: Some(145), peer: "out and in; Linux adds 2645", miss: NOT_YET },
    Known { name: "x86.switch.4", target: Some(195), peer: "Linux adds 6239 for a group of four", miss: NOT_YET },
    Known { name: "x86.switch.8", target: Some(264), peer: "none known", miss: NOT_YET },
    Known { name: "x86.rotate.8", target: Some(420), peer: "two groups of four; Linux 10452", miss: NOT_YET },
    known("x86.user_read.1", 16, "floor 4; Linux's least page protocol 28"),
    known("x86.user_read.2", 26, "floor 8; Linux's least page protocol 55"),
    known("x86.user_read.4", 46, "floor 16; Linux's least page protocol 109"),
    known("stats.accumulate", 25, "crates that keep a mean in floats 13 to 31"),
    known("perf_data.hexadecimal.byte", 20, "one byte at a time by core's formatting 300"),
    Known { name: "x86.parse.4", target: None, peer: "of the next, the text alone", miss: "" },
    known("x86.parse_place.4", 3000, "libpfm4 takes 27000 an event to encode"),
    known("x86.place.easy.4", 120, "Linux 474, OProfile 4459"),
    known("x86.place.easy.8", 200, "Linux 1218, OProfile 16701"),
    known("x86.place.chain.8", 900, "Linux 1638, OProfile 204589"),
    known("x86.place.infeasible.8", 900, "Linux 1188, OProfile 1.4 million"),
    known("x86.place.tight.8", 700, "Linux fails, OProfile 5730"),
    Known { name: "x86.text.counting", target: Some(6144), peer: LINUX_TEXT, miss: WHOLE_UNIT },
    Known { name: "x86.text.sampling", target: Some(8192), peer: LINUX_TEXT, miss: WHOLE_UNIT },
    Known { name: "x86.text.detected", target: Some(24_576), peer: LINUX_TEXT, miss: WHOLE_UNIT },
    known("x86.detect_enum.read", 4, "added to x86.read.wide.1 by the enum of families"),
    known("virt.rdmsr", 60, "none known"),
    known("virt.wrmsr", 60, "none known"),
    known("virt.rdpmc", 60, "none known"),
    known("aarch64.read.constant.1", 6, "floor 2: mrs, and; the counter is known where the code is compiled"),
    known("aarch64.read.narrow.1", 20, "floor 2; the counter's number is the session's"),
    known("aarch64.read.narrow.4", 80, "floor 8"),
    known("aarch64.read.wide.1", 30, "floor 2"),
    known("aarch64.read.wide.4", 110, "floor 8"),
    Known { name: "aarch64.read.checked.1", target: None, peer: "the CPU's number, by a call, is in it", miss: "" },
    Known {
        name: "aarch64.interrupt.1",
        target: Some(150),
        peer: "from the vector to ERET; 41 save and restore registers, 5 are the interrupt controller's",
        miss: NOT_YET,
    },
    Known { name: "aarch64.interrupt.4", target: Some(300), peer: "none known", miss: NOT_YET },
    Known { name: "aarch64.start_stop.1", target: Some(120), peer: "none known", miss: NOT_YET },
    known("aarch64.virt.mrs", 60, "none known"),
    known("aarch64.virt.msr", 60, "none known"),
    Known { name: "aarch64.open_close.1", target: Some(330), peer: "none known", miss: NOT_YET },
    Known { name: "ppc64.read.narrow.1", target: Some(8), peer: "floor 1: mfspr", miss: CALLED },
    Known { name: "ppc64.read.narrow.4", target: Some(32), peer: "floor 4", miss: CALLED },
    Known { name: "ppc64.read.wide.1", target: Some(18), peer: "floor 1", miss: CALLED },
    Known { name: "ppc64.read.wide.4", target: Some(54), peer: "floor 4", miss: CALLED },
    Known {
        name: "ppc64.interrupt.1",
        target: Some(205),
        peer: "from the kernel's entry to RFI; 64 are the entry's",
        miss: NOT_YET,
    },
    Known { name: "ppc64.interrupt.4", target: Some(310), peer: "none known", miss: NOT_YET },
    Known { name: "ppc64.start_stop.1", target: Some(190), peer: "none known", miss: NOT_YET },
    Known { name: "ppc64.open_close.1", target: Some(450), peer: "none known", miss: NOT_YET },
    Known { name: "ppc32.read.narrow.1", target: Some(8), peer: "floor 1: mfspr", miss: ANY_COUNTER },
    Known { name: "ppc32.read.narrow.4", target: Some(32), peer: "floor 4", miss: ANY_COUNTER },
    Known { name: "ppc32.read.wide.1", target: Some(18), peer: "floor 1", miss: ANY_COUNTER },
    Known { name: "ppc32.read.wide.4", target: Some(54), peer: "floor 4", miss: ANY_COUNTER },
    Known {
        name: "ppc32.interrupt.1",
        target: Some(450),
        peer: "from the kernel's entry to RFI; 64 are the entry's",
        miss: NOT_YET,
    },
    Known { name: "ppc32.interrupt.4", target: Some(900), peer: "none known", miss: NOT_YET },
    Known { name: "ppc32.start_stop.1", target: Some(400), peer: "none known", miss: NOT_YET },
    Known { name: "ppc32.open_close.1", target: Some(700), peer: "none known", miss: NOT_YET },
];

const CALLED: &str = "the instruction that reads a counter has its number in it, and is called: four in all";
const ANY_COUNTER: &str = "the counter's register is part of the instruction, and found by two or three branches";
const NOT_YET: &str = "the contract was rewritten to be right and plain; nothing has been done for this figure since";
const LINUX_TEXT: &str = "Linux's x86 core and Intel driver 32176";
const WHOLE_UNIT: &str = "detection, placement, save and restore are in it";

const UNKNOWN: Known = Known { name: "", target: None, peer: "", miss: "" };

const fn known(name: &'static str, target: u64, peer: &'static str) -> Known {
    Known { name, target: Some(target), peer, miss: "" }
}

impl Known {
    /// What there is to say about the figure with this name.
    pub(super) fn of(name: &str) -> &'static Self {
        ALL.iter().find(|known| known.name == name).unwrap_or(&UNKNOWN)
    }

    /// The peer, and for a figure that misses its target the reason.
    pub(super) fn beside(&self, value: u64) -> String {
        let misses = self.target.is_some_and(|target| value > target) && !self.miss.is_empty();
        if misses { format!("{}; {}", self.peer, self.miss) } else { self.peer.to_owned() }
    }
}

/// Where a figure stands in the table; strangers come last.
pub(super) fn rank(name: &str) -> usize {
    ALL.iter().position(|known| known.name == name).unwrap_or(ALL.len())
}

/// The names of all figures that there shall be.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|known| known.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_figure_is_listed_twice() {
        assert!(names().enumerate().all(|(position, name)| rank(name) == position));
    }

    #[test]
    fn a_reason_is_given_only_for_a_miss() {
        let known = Known { name: "a", target: Some(5), peer: "b 9", miss: "it does more" };
        assert_eq!([5, 6].map(|value| known.beside(value)), ["b 9", "b 9; it does more"]);
    }
}
