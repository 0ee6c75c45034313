//! `cargo xtask events show` says what can be counted, and what a text programs.

#[allow(dead_code, reason = "the example's main is not called")]
#[path = "../examples/host/events.rs"]
mod events;

fn shown(words: &[&str]) -> String {
    let (text, is_good) = events::answer(words);
    assert!(is_good, "{text}");
    text
}

#[test]
fn processors_are_listed_and_an_unknown_one_is_refused() {
    assert!(shown(&[]).lines().any(|line| line == "Skylake"), "{}", shown(&[]));
    let (text, is_good) = events::answer(&["vax 780"]);
    assert!(!is_good && text.starts_with("no processor is called vax 780; these are:\n"), "{text}");
}

#[test]
fn events_are_listed_by_a_part_of_their_names() {
    let text = shown(&["skylake", "br_misp_retired.near"]);
    assert!(text.lines().any(|line| line.starts_with("BR_MISP_RETIRED.NEAR_CALL 0x02c5 on ")), "{text}");
}

#[test]
fn a_raw_code_is_named() {
    let text = shown(&["skylake", "0x1c4"]);
    assert!(text.starts_with("0x1c4 is BR_INST_RETIRED.COND\n"), "{text}");
    assert!(shown(&["skylake", "0xeeee"]).starts_with("0xeeee has no name\n"));
}

#[test]
fn a_text_is_shown_register_by_register_or_refused() {
    let text = shown(&["skylake", "BR_INST_RETIRED.COND:u"]);
    assert!(text.contains("libpfm: code 0x1c4, auxiliary 0x0, on "), "{text}");
    assert!(text.contains("IA32_PERFEVTSEL7 <- 0x5101c4: bits 2 6 7 8 16 20 22\n"), "{text}");
    assert!(text.contains("cputrack: "), "{text}");
}

#[test]
fn each_processor_that_is_listed_is_found_by_its_name() {
    for name in shown(&[]).lines() {
        assert!(!shown(&[name]).contains("no processor"), "{name}");
    }
    assert!(shown(&["UltraSPARC III", "EC_misses"]).contains("EC_misses"), "III has it, IIi has not");
    assert!(
        !shown(&["UltraSPARC IIi", "EC_misses"]).contains("\nEC_misses"),
        "{}",
        shown(&["UltraSPARC IIi", "EC_misses"])
    );
}

#[test]
fn a_processor_is_found_by_words_of_its_name_if_they_are_no_others() {
    for (typed, event) in
        [("opteron 10h", "dispatched_fpu"), ("970", "pm_cyc"), ("cortex_a57", "l1d_cache"), ("7450", "0x1")]
    {
        let (text, is_good) = events::answer(&[typed, event]);
        assert!(is_good, "{typed}: {text}");
    }
    let (text, is_good) = events::answer(&["ultrasparc t2 "]);
    assert!(is_good, "{text}");
    let (text, is_good) = events::answer(&["opteron family"]);
    assert!(!is_good && text.lines().count() == 3, "the two that it can be: {text}");
}

#[test]
fn a_text_of_several_events_is_shown_together() {
    let text = shown(&["UltraSPARC II", "pic0=Cycle_cnt,pic1=Instr_cnt"]);
    assert_eq!(text.lines().filter(|line| line.starts_with("cputrack: code ")).count(), 2, "{text}");
    assert!(text.lines().any(|line| line.starts_with("    ")), "the registers are shown: {text}");
}
