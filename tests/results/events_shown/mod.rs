//! `cargo xtask events show` says what can be counted, and what a text programs.

#[allow(dead_code, reason = "the example's main is not called")]
#[path = "../../../examples/host/events.rs"]
mod events;
mod refusals;

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
fn an_event_is_listed_with_its_makers_period_and_marks() {
    let text = shown(&["skylake", "br_misp_retired.near_call"]);
    let line =
        text.lines().find(|line| line.starts_with("BR_MISP_RETIRED.NEAR_CALL 0x02c5 on ")).expect("it is listed");
    assert!(line.ends_with(" every 400009 precise"), "{line}");
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
    assert!(text.starts_with("libpfm:\n  code 0x1c4 on "), "{text}");
    let select = "IA32_PERFEVTSEL7 <- 0x5101c4: 0-7 EventSelect = 0xc4, 8-15 UMask = 0x1, 16 USR, 20 INT, 22 EN\n";
    assert!(text.contains(select), "{text}");
    assert!(!text.contains("cputrack"), "no other notation has the text: {text}");
}

#[test]
fn each_processor_that_is_listed_is_found_by_its_name() {
    for name in shown(&[]).lines() {
        assert!(!shown(&[name]).contains("no processor"), "{name}");
    }
    assert!(shown(&["UltraSPARC III", "EC_misses"]).contains("EC_misses"), "III has it, IIi has not");
    let (text, is_good) = events::answer(&["UltraSPARC IIi", "EC_misses"]);
    assert!(!is_good && text.contains("no counter of this processor has such an event"), "{text}");
}

#[test]
fn every_processor_that_is_listed_programs_its_unit_or_says_why_not() {
    for name in shown(&[]).lines() {
        let (text, _) = events::answer(&[name, "instructions"]);
        let is_programmed = text.contains(" <- ");
        assert!(is_programmed || text.contains("no counter of this unit counts it"), "{name}: {text}");
    }
}

#[test]
fn a_processor_without_an_identity_has_its_own_table() {
    let own = [
        ("Cascade Lake", "OCR.DEMAND_CODE_RD.ANY_RESPONSE"),
        ("Panther Lake", "ARITH.DIV_ACTIVE"),
        ("Nova Lake", "BR_INST_RETIRED.COND"),
        ("Clearwater Forest", "BR_INST_RETIRED.COND"),
        ("Cortex-A53", "PREFETCH_LINEFILL"),
        ("Neoverse V3", "L2D_CACHE_HWPRF"),
        ("Rainier", "CAP_LD_SPEC"),
    ];
    for (processor, event) in own {
        assert!(shown(&[processor, event]).starts_with("libpfm:\n  code"), "{processor}");
    }
    let (text, is_good) = events::answer(&["Skylake SP", own[0].1]);
    assert!(!is_good, "its successor has it: {text}");
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
    assert!(text.starts_with("cputrack:\n"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("  code ")).count(), 2, "{text}");
    assert!(text.lines().any(|line| line.starts_with("    ")), "the registers are shown: {text}");
}

/// Each family's selector by the manual's names, and no bit without one.
#[test]
fn a_selector_of_each_family_is_explained_by_the_manuals_names() {
    for (processor, typed, explained) in [
        ("skylake", "UOPS_ISSUED.STALL_CYCLES:k", "17 OS, 20 INT, 22 EN, 23 INV, 24-31 CMASK = 0x1"),
        ("zen4", "ex_ret_brn:u:c=2", "0-7 EventSelect[7:0] = 0xc2, 16 Usr, 20 Int, 22 En, 24-31 CntMask = 0x2"),
        ("pentium 4", "branch_retired:MMTM:u", "2 T0_USR, 9-24 EventMask = 0x8, 25-30 EventSelect = 0x6"),
        ("pentium 4", "branch_retired:MMTM:u", "12 Enable, 13-15 EscrSelect = 0x5, 16-17 ActiveThread = 0x3"),
        ("pentium pro", "INST_RETIRED:u", "0-7 EventSelect = 0xc0, 16 USR"),
        ("pentium-mmx", "cycles", "0-5 ES0 = 0x30, 6-8 CC0 = 0x3"),
        ("neoverse-n1", "L1D_CACHE:u", "0-15 evtCount = 0x4, 31 P"),
        ("power9", "PM_BR_CMPL:u", "0-7 PMC4SEL = 0x5e, 48-51 PMC4UNIT = 0xd"),
        ("power7", "PM_BRU_FIN", "26 PMAE, 15 PMC1CE, 0 FCH, 4 FC5-6"),
        ("7450", "0x1", "11-16 PMC6SEL = 0x1"),
        ("e500v2", "CPU_CLK", "26 CE, 16-23 EVENT = 0x1"),
        ("mips-24k", "INSTRUCTIONS:u", "3 U, 4 IE, 5-14 Event = 0x1"),
        ("loongson-3a6000", "L1D_MISSES:u", "0-9 EvCode = 0x9, 18 PLV2, 19 PLV3, 20 PMIEn"),
        ("niagara2", "Instr_cnt", "14-17 SL0 = 0x2, 19-26 MASK1 = 0xfd, 27-30 SL1 = 0x2, 62 HOLD0, 63 HOLD1"),
        ("UltraSPARC II", "pic0=Cycle_cnt,pic1=Instr_cnt", "0 PRIV, 2 UT, 11-16 SU = 0x1"),
        ("rv64", "cycles:u", "59 VSINH, 61 SINH, 62 MINH"),
    ] {
        let text = shown(&[processor, typed]);
        assert!(text.contains(explained) && !text.contains("no field"), "{processor}: {typed}: {text}");
    }
}

#[test]
fn what_means_the_same_in_several_notations_is_shown_once() {
    let text = shown(&["mips-24k", "0x1"]);
    assert_eq!(
        text.matches("5-14 Event = 0x1").count(),
        2,
        "cputrack counts users alone and on its own counter: {text}"
    );
    let text = shown(&["r10000", "-e 15 -k"]);
    assert!(text.starts_with("perfex:\n  code 0xf on {0}\n") && text.contains("5-14 Event = 0xf"), "{text}");
}

/// OProfile's, libpfm's and Solaris' names, and a code.
#[test]
fn an_event_of_the_northbridge_is_refused_with_the_reason_by_each_of_its_names() {
    for (processor, typed) in [
        ("opteron", "DRAM_ACCESSES:1000"),
        ("opteron", "pic1=NB_mem_ctrlr_page_access,umask1=7"),
        ("opteron 10h", "DRAM_ACCESSES_PAGE:HIT:u"),
        ("opteron 10h", "pic0=0xe0"),
        ("family 12h", "CPU_IO_REQUESTS_TO_MEMORY_IO:CPU_TO_MEM"),
        ("opteron 15h", "L3_CACHE_MISSES:READ_BLOCK_ANY"),
        ("family 16h", "DRAM_ACCESSES"),
    ] {
        let text = events::answer(&[processor, typed]).0;
        assert!(
            text.contains("it is an event of the northbridge, which all cores share, and "),
            "{processor}: {typed}: {text}"
        );
    }
}

/// R10000 and 5K have a number on each counter for what happens most.
#[test]
fn cycles_and_instructions_are_counted_together_on_either_counter() {
    let text = shown(&["r10000", "PAPI_TOT_CYC,Issued_instructions"]);
    assert!(text.contains("  cycles on {0, 1}\n") && text.contains("PerfCtl1 <- 0x1b: "), "{text}");
    for (processor, both) in [("r10000", "PAPI_TOT_INS,PAPI_TOT_CYC"), ("mips-5k", "PAPI_TOT_INS,PAPI_BR_INS")] {
        let text = shown(&[processor, both]);
        assert!(text.contains("instructions on {0, 1}\n") && text.contains("PerfCtl1 <- "), "{processor}: {text}");
    }
}

#[test]
fn a_conflict_names_the_generic_event_that_has_more_counters() {
    let text = shown(&["r10000", "CYCLES,Issued_instructions"]);
    let way_out = "  event 0x0 is counted on {0, 1} as papi_tot_cyc\n";
    assert!(text.contains("only counter 0 is free for them") && text.contains(way_out), "{text}");
    assert!(
        !shown(&["r10000", "Issued_instructions,Issued_loads"]).contains(" as papi_"),
        "they have no other counter"
    );
}

#[test]
fn a_text_with_too_few_counters_names_the_generic_event_that_has_more() {
    for typed in ["0,7,sys", "pic1=0,pic0=7", "-e 7 -e 0"] {
        let (text, is_good) = events::answer(&["r10000", typed]);
        assert!(!is_good && text.ends_with("\n  event 0x0 is counted on {0, 1} as papi_tot_cyc\n"), "{typed}: {text}");
    }
}

#[test]
fn libpfms_unit_of_intels_architecture_is_each_processors_that_libpfm_knows() {
    for (processor, event) in
        [("coreduo", "UNHALTED_CORE_CYCLES"), ("skylake", "LLC_MISSES"), ("glm", "INSTRUCTION_RETIRED")]
    {
        let [of_both, own] =
            ["ix86arch::", ""].map(|unit| perfmon_of(&shown(&[processor, &format!("{unit}{event}:u")])));
        assert_eq!(of_both, own, "{processor}: {event}");
    }
    assert!(!events::answer(&["zen2", "ix86arch::LLC_MISSES"]).1);
}

/// The lines of libpfm's notation.
fn perfmon_of(text: &str) -> String {
    text.lines().filter(|line| line.starts_with(' ')).map(|line| format!("{line}\n")).collect()
}

#[test]
fn perfex_alone_counts_cycles() {
    assert!(shown(&["r10000", "perfex"]).starts_with("perfex:\n  code 0x0 on {0}\n"));
}

/// OProfile's Core Duo is `i386/core`, which others shorten.
#[test]
fn core_is_core_2_as_in_libpfm() {
    let cycles = |name| shown(&[name, "cycles:u"]);
    assert_eq!([cycles("core"), cycles("i386/core_2")], [cycles("Core 2"), cycles("Core 2")]);
    assert_eq!([cycles("coreduo"), cycles("i386/core")], [cycles("Core Duo"), cycles("Core Duo")]);
    assert_ne!(cycles("Core Duo"), cycles("Core 2"));
}

/// libpfm's own words, each with what it encodes (lib/events/intel_coreduo_events.h).
#[test]
fn core_duo_has_libpfms_names_and_masks() {
    for (typed, code) in [
        ("coreduo::UNHALTED_REFERENCE_CYCLES", "0x13c"),
        ("coreduo::BUS_TRANS_RFO:BOTH_CORES:ALL_AGENTS", "0xe066"),
        ("SSE_NTSTORES_RET", "0x307"),
        ("FUSED_UOPS:STORES", "0x2da"),
    ] {
        let text = shown(&["core duo", &format!("{typed}:u")]);
        assert!(text.starts_with(&format!("libpfm:\n  code {code} on {{0, 1}}\n")), "{typed}: {text}");
    }
}

#[test]
fn the_pmc_librarys_options_are_shown_as_what_they_program() {
    let text = shown(&["pentium iii", "--e 192,194 -Stats 2 -trim 1"]);
    assert!(text.starts_with("a kernel's command line:\n  code 0xc0 on {0, 1}\n  code 0xc2 on {0, 1}\n"), "{text}");
}

#[test]
fn a_mode_that_the_unit_does_not_count_in_is_named() {
    let text = shown(&["niagara2", "pic0=Instr_cnt,hpriv"]);
    assert!(text.contains("counted: user, kernel; it cannot be counted in hypervisor\n"), "{text}");
}

#[test]
fn libpfms_name_of_the_return_stacks_misses_is_theirs_and_no_other_events() {
    let text = shown(&["UltraSPARC III", "ultra3::Dispatch0_rs_mispred"]);
    assert!(text.contains("  code 0x117 on {0}\n"), "{text}");
}

#[test]
fn oprofiles_named_mask_of_an_intel_event_may_be_the_end_of_its_name() {
    let text = shown(&["skylake", "br_inst_retired:400009:near_taken:0:1"]);
    assert!(text.starts_with("OProfile:\n  code 0x20c4 on "), "{text}");
    let text = shown(&["skylake", "uops_dispatched_port:2000003:port_0"]);
    assert!(text.starts_with("OProfile:\n  code 0x1a1 on "), "no event is called uops_dispatched_port: {text}");
}

#[test]
fn perfs_raw_code_of_0_is_an_event_where_the_code_is() {
    assert!(shown(&["mips-24k", "r0,r1"]).starts_with("libpfm:\n  code 0x0 on {0, 1}\n  code 0x1 on {0, 1}\n"));
}

#[test]
fn perfs_modes_are_read_in_one_word() {
    let both = shown(&["skylake", "branches:uk"]);
    assert!(both.contains("16 USR, 17 OS"), "{both}");
    assert_eq!(both, shown(&["skylake", "branches:u:k"]));
}

#[test]
fn a_generic_event_says_what_it_is_made_of_or_why_not() {
    assert!(shown(&["skylake", "PAPI_BR_PRC"]).starts_with("papi_br_prc: BR_INST_RETIRED.CONDITIONAL (event 0xc4, "));
    assert!(shown(&["skylake", "papi_tot_ins"]).contains("papi_tot_ins: INST_RETIRED.ANY"));
    let (text, is_good) = events::answer(&["skylake", "PAPI_L1_DCA"]);
    assert!(!is_good && text.starts_with("PAPI_L1_DCA: no event of this processor is known to count it"), "{text}");
}

#[test]
fn a_processor_is_found_by_the_names_that_libpfm_and_oprofile_give_its_events() {
    for (typed, event) in [("hsw_ep", "cycles:u"), ("x86-64/zen3", "RETIRED_INSTRUCTIONS"), ("niagara2", "Instr_cnt")] {
        assert!(shown(&[typed, event]).starts_with("libpfm:\n"), "{typed}");
    }
    let (text, is_good) = events::answer(&["sandybrige"]);
    assert!(!is_good && text == "no processor is called sandybrige; the nearest name is Sandy Bridge\n", "{text}");
}
