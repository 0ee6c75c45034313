//! What each figure is compared with: the least that the instructions take, and the cost of the same in other software.
//!
//! A number in brackets refers to the source of the comparison.

/// The sources of the comparisons.
pub(super) const SOURCES: [(&str, &str); 2] = [
    (
        "[1]",
        "measured in the same emulator, in instructions: Linux 6.1's perf with its system calls, its reads and LiMiT's from user space",
    ),
    ("[2]", "in instructions, by callgrind: libpfm4, and OProfile's placement as its sources have it"),
];

/// The comparison for a figure, by its name.
const PEERS: &[(&str, &str)] = &[
    ("x86.read.narrow.1", "floor 4: mov, rdpmc, shl, or; LiMiT 5 [1]"),
    ("x86.read.narrow.4", "floor 16"),
    ("x86.read.wide.1", "floor 4; Linux's user page read 28 [1]"),
    ("x86.read.wide.4", "floor 16; Linux's user page read 109 [1]"),
    ("aarch64.read.constant.1", "floor 2: mrs, and; the counter is known where the code is compiled"),
    ("aarch64.read.narrow.1", "floor 2; the counter's number is the session's"),
    ("aarch64.read.narrow.4", "floor 8"),
    ("aarch64.read.wide.1", "floor 2"),
    ("aarch64.read.wide.4", "floor 8"),
    ("ppc64.read.narrow.1", "floor 1: mfspr"),
    ("ppc64.read.narrow.4", "floor 4"),
    ("ppc64.read.wide.1", "floor 1"),
    ("ppc64.read.wide.4", "floor 4"),
    ("ppc32.read.narrow.1", "floor 1: mfspr"),
    ("ppc32.read.narrow.4", "floor 4"),
    ("ppc32.read.wide.1", "floor 1"),
    ("ppc32.read.wide.4", "floor 4"),
    ("x86.interrupt.1", "Linux 1866 [1]"),
    ("x86.interrupt.4", "Linux 4831 [1]"),
    ("aarch64.interrupt.1", "41 of them save and restore registers, 5 are the interrupt controller's"),
    ("ppc64.interrupt.1", "64 of them are the entry's"),
    ("ppc32.interrupt.1", "64 of them are the entry's"),
    ("x86.start_stop.again", "Linux's ioctl pair 4684 [1]"),
    ("x86.open_close.1", "Linux's open + close 8986 [1]"),
    ("x86.switch.same.1", "Linux adds 2645 [1]"),
    ("x86.switch.same.4", "Linux adds 6239 for a group of four [1]"),
    ("x86.rotate", "Linux 10452 [1]"),
    ("x86.user_read.1", "floor 4; Linux's least page protocol 28 [1]"),
    ("x86.user_read.2", "floor 8; Linux's least page protocol 55 [1]"),
    ("x86.user_read.4", "floor 16; Linux's least page protocol 109 [1]"),
    ("x86.parse_place.4", "libpfm4 takes 27000 an event to encode [2]"),
    ("x86.place.easy.4", "Linux 474 [1], OProfile 4459 [2]"),
    ("x86.place.easy.8", "Linux 1218 [1], OProfile 16701 [2]"),
    ("x86.place.chain.8", "Linux 1638 [1], OProfile 204589 [2]"),
    ("x86.place.infeasible.8", "Linux 1188 [1], OProfile 1.4 million [2]"),
    ("x86.place.tight.8", "Linux fails, OProfile 5730 [2]"),
];

/// The reasons why figures miss their targets, by the beginning of their names.
const REASONS: &[(&str, &str)] = &[
    ("ppc64.read.", "the instruction that reads a counter has its number in it, and is called: four in all"),
    ("ppc32.read.", "the counter's register is part of the instruction, and found by two or three branches"),
    ("x86.virt.until_overflow.", "a division for each counter that runs"),
    (
        "x86.virt.pass_through.touched.",
        "each counter is written, with its selector, and read again: some 25 instructions by themselves",
    ),
];

/// Returns the comparison for a figure and, if the figure misses its target, the reason.
pub(super) fn beside(name: &str, is_missed: bool) -> String {
    let peer = PEERS.iter().find(|(other, _)| *other == name).map(|(_, words)| *words);
    let reason = REASONS.iter().find(|(prefix, _)| is_missed && name.starts_with(prefix)).map(|(_, words)| *words);
    [peer, reason].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_given_only_for_a_miss() {
        let [met, missed] = [false, true].map(|is_missed| beside("ppc64.read.wide.1", is_missed));
        assert_eq!(met, "floor 1");
        assert!(missed.starts_with("floor 1; the instruction"), "{missed}");
    }

    #[test]
    fn another_systems_figure_says_where_it_comes_from() {
        let theirs = ["Linux", "OProfile", "libpfm4", "LiMiT"];
        let is_theirs = |words: &str| theirs.iter().any(|other| words.contains(other));
        for (name, words) in PEERS.iter().filter(|(_, words)| is_theirs(words)) {
            assert!(SOURCES.iter().any(|(mark, _)| words.contains(mark)), "{name}: {words}");
        }
    }
}
