//! How is the test kernel built and booted?

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::identity::Identity;
use crate::machine::{self, Ending};
use crate::progress::Step;
use crate::toolchain::Toolchain;
use crate::{place, process, setup};

/// Build the image; its workspace's own cargo configuration knows target, linker script and `core`.
///
/// # Errors
/// No toolchain can build it, or it does not compile; the compiler's words are in the error.
pub(crate) fn build() -> Result<PathBuf> {
    let toolchain = Toolchain::find().context("no toolchain has the source of core")?;
    let step = Step::begin("building the test kernel");
    let outcome = process::run(&mut build_command(toolchain))?;
    step.end(if outcome.succeeded { "built" } else { "failed" });
    if !outcome.succeeded {
        bail!("the test kernel does not compile:\n{}", outcome.complaint());
    }
    executable(&outcome.output).context("cargo built the test kernel and named no executable")
}

fn build_command(toolchain: Toolchain) -> Command {
    let mut command = toolchain.cargo();
    command
        .current_dir(place::kernel())
        .args(["build", "--release", "--message-format=json-render-diagnostics"])
        .arg("--target-dir")
        .arg(place::cross_target());
    command
}

/// The executable among cargo's messages.
fn executable(messages: &str) -> Option<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).next_back()
}

/// Have the emulator, build the image and hand on the lines of one run; a run that fails is an error.
///
/// # Errors
/// Something is missing that cannot be installed, the image does not compile, or the kernel is not content.
pub(crate) fn hear(append: &str, on_line: impl FnMut(&str)) -> Result<PathBuf> {
    setup::prepare(&setup::Need::ALL)?;
    let image = build()?;
    hear_image(&image, append, on_line)?;
    Ok(image)
}

/// Boot this image and hand on the lines of its run.
///
/// # Errors
/// QEMU cannot be started, or the kernel is not content.
pub(crate) fn hear_image(image: &Path, append: &str, on_line: impl FnMut(&str)) -> Result<()> {
    let step = Step::begin(format!("running the kernel in QEMU: {append}"));
    let ending = machine::run(image, append, machine::TIME_LIMIT, on_line)?;
    step.end(&ending.to_string());
    if ending == Ending::Content { Ok(()) } else { bail!("the kernel {ending}") }
}

/// Boot and show the serial port as it is.
///
/// # Errors
/// As [`hear`].
pub(crate) fn boot(identity: Identity, words: &[String]) -> Result<ExitCode> {
    let append = format!("identity={identity} {}", words.join(" "));
    hear(append.trim_end(), |line| println!("{line}")).map(|_| ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_found_among_cargos_messages() {
        let messages = "{\"reason\":\"compiler-artifact\",\"executable\":null}\n\
                        {\"reason\":\"compiler-artifact\",\"executable\":\"/a/kernel\"}\n{\"reason\":\"build-finished\"}";
        assert_eq!(executable(messages), Some(PathBuf::from("/a/kernel")));
    }
}
