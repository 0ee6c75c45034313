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
    let (text, is_good) = events::answer(&["vax"]);
    assert!(!is_good && text.starts_with("no processor is called vax; these are:\n"), "{text}");
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
