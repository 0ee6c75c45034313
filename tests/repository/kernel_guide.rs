//! The code in the guides for kernels is that of the examples, which boot.

use std::fs;

use crate::root;

const GUIDE: &str = include_str!("../../src/guide/kernel.md");
const GUIDE_TO_PROFILES: &str = include_str!("../../src/guide/fdo.md");
/// How a block begins that is no test of the documentation's.
const BLOCK: &str = "```custom,";

/// Where a chapter's code is from.
fn folders(chapter: &str) -> &'static [&'static str] {
    match chapter {
        "ArceOS" => &["examples/arceos/src", "examples/arceos/src/machine"],
        "x86-64" => &["examples/x86/src"],
        "AArch64" => &["examples/aarch64/src"],
        "PowerPC" => &["examples/powerpc/src"],
        "RISC-V" => &["examples/riscv/src"],
        "LoongArch" => &["examples/loongarch/src"],
        _ => &["examples/common", "examples/x86/src", "examples/aarch64/src", "examples/powerpc/src"],
    }
}

fn sources(folder: &str) -> Vec<String> {
    let folder = root().join(folder);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|it| it == "rs"))
        .map(|it| fs::read_to_string(it).unwrap())
        .collect()
}

/// The code of a chapter, block by block.
fn blocks(chapter: &str) -> impl Iterator<Item = &str> {
    chapter.split(BLOCK).skip(1).filter_map(|rest| {
        let (code, _) = rest.split_once("\n```")?;
        code.split_once('\n').map(|(_, code)| code)
    })
}

#[test]
fn the_code_of_the_guide_for_kernels_is_that_of_the_examples() {
    let mut seen = 0;
    for chapter in GUIDE.split("\n# ").skip(1) {
        let sources: Vec<_> = folders(chapter.lines().next().unwrap()).iter().flat_map(|it| sources(it)).collect();
        for item in blocks(chapter).flat_map(|block| block.split("\n\n")) {
            seen += 1;
            assert!(sources.iter().any(|source| source.contains(item)), "no example has this:\n{item}");
        }
    }
    assert!(seen > 15, "the guide has code: {seen}");
}

#[test]
fn the_code_of_the_guide_to_profiles_is_that_of_its_example() {
    let (sources, code) = (sources("examples/fdo/src"), blocks(GUIDE_TO_PROFILES).collect::<Vec<_>>());
    let unknown = code.iter().find(|code| !sources.iter().any(|source| source.contains(**code)));
    assert!(
        unknown.is_none() && code.len() == 3,
        "{} blocks, of which the example does not have:\n{unknown:?}",
        code.len()
    );
}

#[test]
fn what_a_kernels_author_copies_is_short() {
    for name in ["x86", "aarch64", "powerpc"] {
        let main = fs::read_to_string(root().join(format!("examples/{name}/src/main.rs")));
        assert!(main.unwrap().lines().count() <= 150, "{name}'s is short enough to be copied");
    }
}

#[test]
fn what_is_added_to_a_kernel_of_others_is_short() {
    let lines = |name: &str| {
        let text = fs::read_to_string(root().join("examples/arceos/src").join(name)).unwrap();
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
    };
    for machine in ["aarch64.rs", "riscv64.rs"] {
        let glue = lines("glue.rs") + lines(&format!("machine/{machine}"));
        let all = glue + lines(&format!("marks/{machine}")) + lines("main.rs");
        assert!(glue <= 60 && all <= 250, "{machine}: {glue} lines of glue, and {all} in all");
    }
}
