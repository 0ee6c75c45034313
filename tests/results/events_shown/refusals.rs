//! What is said of a text that no notation takes.

use crate::events_shown::events;

/// What users of perf, libpfm, OProfile, cpustat and perfex type that is wrong, and what they are told.
#[test]
fn a_text_that_no_notation_takes_is_refused_once_with_a_way_out() {
    for (processor, typed, refusal) in [
        (
            "skylake",
            "INST_RETIRD.ANY_P:u",
            "libpfm: 'INST_RETIRD': at bytes 0 to 10: no counter of this processor has such an event; the nearest name is ",
        ),
        (
            "skylake",
            "branch-mises:u",
            "libpfm: 'branch-mises': at bytes 0 to 11: no counter of this processor has such an event; the nearest name is branch-misses",
        ),
        (
            "skylake",
            "cpu/event=0xc4,umask=0x01/u",
            "libpfm: 'cpu/event=0xc4': at bytes 0 to 13: expected an event without perf's slashes",
        ),
        (
            "skylake",
            "L1-dcache-load-misses:u",
            "libpfm: 'L1-dcache-load-misses:u': at bytes 0 to 22: expected an event of this processor's own, or cache-references or cache-misses where the unit counts them: perf's cache, bus and stall events have no codes here; the nearest name is papi_l1_dcm",
        ),
        (
            "skylake",
            "bus-cycles",
            "libpfm: 'bus-cycles': at bytes 0 to 9: expected an event of this processor's own, or cache-references or cache-misses where the unit counts them: perf's cache, bus and stall events have no codes here\n",
        ),
        (
            "skylake",
            "{cycles,instructions}:u",
            "libpfm: '{cycles': at bytes 0 to 6: expected events without perf's braces: all that are written are counted together",
        ),
        // likwid's, with its counters.
        (
            "skylake",
            "L1D_REPLACEMENT:PMC0",
            "libpfm: 'PMC0': at bytes 16 to 19: the event has no such unit mask, and this processor no such attribute or modifier",
        ),
        (
            "zen2",
            "RETIRED_INSTRUCTIONS:PMC0",
            "libpfm: 'PMC0': at bytes 21 to 24: the event has no such unit mask, and this processor no such attribute or modifier",
        ),
        (
            "skylake",
            "skl::RESOURCE_STALLS:SB:c=256",
            "libpfm: '256': at bytes 26 to 28: the value must be from 0 to 255",
        ),
        (
            "skylake",
            "skl::UOPS_DISPATCHED_PORT:PORT_0:PORT_1",
            "libpfm: 'PORT_1': at bytes 33 to 38: the event takes one unit mask, and has one already; request it again with this one, or write the code of both\n",
        ),
        // Two that only libpfm's list has.
        (
            "skylake",
            "CPU_CLK_THREAD_UNHALTED:REF_P:RING0_TRANS",
            "libpfm: 'RING0_TRANS': at bytes 30 to 40: the event takes one unit mask, and has one already; request ",
        ),
        (
            "skylake",
            "instructions:pp",
            "libpfm: 'pp': at bytes 13 to 14: expected a modifier that is no request for precise samples",
        ),
        (
            "skylake",
            "snb::MEM_LOAD_RETIRED:L3_MISS:u",
            "libpfm: 'snb': at bytes 0 to 2: this is another processor's unit: this one's is skl",
        ),
        ("skylake", "CPU_CLK_UNHALTED:abc:0:1:1", "OProfile: 'abc': at bytes 17 to 19: expected a count"),
        (
            "skylake",
            "LLC_MISES:6000",
            "OProfile: 'LLC_MISES': at bytes 0 to 8: no counter of this processor has such an event; the nearest name is LLC_MISSES",
        ),
        ("skylake", "pic0=INST_RETIRED.ANY_P,syss", "cputrack: 'syss': "),
        ("skylake", "PAPI_BR_PRC:u", "libpfm: 'PAPI_BR_PRC': at bytes 0 to 10: this event is made of several"),
        (
            "opteron",
            "pic4=FP_dispatched_fpu_ops",
            "cputrack: '4': at byte 3: this processor's counters are numbered from 0 to 3",
        ),
        (
            "UltraSPARC III",
            "pic0=EC_misses",
            "cputrack: 'EC_misses': at bytes 5 to 13: this counter cannot count this event, but counter 1 can",
        ),
        (
            "r10000",
            "-e 26 -e 25",
            "perfex: '25': at bytes 9 to 10: this event is counted by counter 1 alone, which other events have; count it in a set of its own",
        ),
        ("r10000", "pic1=7,sys", "cputrack: '7': at byte 5: this counter cannot count this event, but counter 0 can"),
        (
            "UltraSPARC III",
            "0x117,Dispatch0_IC_miss,sys",
            "cputrack: 'Dispatch0_IC_miss': at bytes 6 to 22: this event is counted by counter 0 alone, which other events have; count it in a set of its own",
        ),
        // T1 has no bit for the hypervisor in %pcr.
        (
            "UltraSPARC T1",
            "Instr_cnt,hpriv",
            "cputrack: 'hpriv': at bytes 10 to 14: the event has no such unit mask, and this processor no such attribute or modifier\n",
        ),
        // OProfile's list has no group of this number.
        (
            "power7",
            "PM_RUN_INST_CMPL_GRP300:100000",
            "OProfile: 'PM_RUN_INST_CMPL_GRP300': at bytes 0 to 22: no counter of this processor has such an event; the nearest name is PM_RUN_INST_CMPL\n",
        ),
        ("skylake", "cycles::", "libpfm: at byte 8: expected the name of an event after ::"),
        ("r10000", "perfex -e 32", "perfex: '32': at bytes 10 to 11: the value must be from 0 to 31"),
        (
            "r10000",
            "-mp -a",
            "perfex: '-mp': at bytes 0 to 2: expected -a, -e, -k, -x or -y: each thread that has a Context is counted by itself\n",
        ),
        (
            "r10000",
            "perfex -a -o out ./a.out",
            "perfex: '-o': at bytes 10 to 11: expected -a, -e, -k, -x or -y: the caller prints the counts (PerfexTable)\n",
        ),
        (
            "r10000",
            "perfex -c costs -y",
            "perfex: '-c': at bytes 7 to 8: expected -a, -e, -k, -x or -y: the caller loads and prints costs (Costs)\n",
        ),
        (
            "r10000",
            "perfex -s -e 15",
            "perfex: '-s': at bytes 7 to 8: expected -a, -e, -k, -x or -y: the caller starts and stops the session\n",
        ),
        // Solaris numbers what the view has: the bank's counters 16 and 17 are its last two.
        (
            "pentium 4",
            "pic0=instr_retired",
            "cputrack: 'instr_retired': at bytes 5 to 17: this counter cannot count this event, but counters {6, 7} can",
        ),
        (
            "pentium 4",
            "pic16=instr_retired",
            "cputrack: '16': at bytes 3 to 4: this processor's counters are numbered from 0 to 7",
        ),
        ("pentium 4", "global_power_events,active_thread=1", "cputrack: 'active_thread': "),
        (
            "pentium 4",
            "global_power_events,emask=0x10000",
            "cputrack: '0x10000': at bytes 26 to 32: the value must be from 0 to 65535",
        ),
        ("pentium iii", "inst_retired,noedge,foo", "cputrack: 'foo': "),
        // To libpfm it would be an event with two masks of numbers, of which it takes one, and that in hexadecimal.
        ("pentium 4", "IOQ_ALLOCATION:3000:0x0", "OProfile: '0x0': at bytes 20 to 22: the event has no such unit mask"),
        (
            "pentium 4",
            "netburst_p::instr_retired",
            "libpfm: 'netburst_p': at bytes 0 to 9: this is another processor's unit: this one's is netburst",
        ),
        ("pentium iii", "--e 192,194 -Stats 3", "a kernel's command line: '3': at byte 19: expected 0, 1 or 2"),
    ] {
        let (text, is_good) = events::answer(&[processor, typed]);
        assert!(!is_good && text.starts_with(refusal) && text.lines().count() == 1, "{processor}: {typed}: {text}");
    }
}
