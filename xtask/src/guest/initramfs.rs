//! An archive for Linux to unpack as its first file system (the kernel's documentation, "initramfs buffer format": cpio,
//! format "newc").

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use super::folder;

/// A file of the archive: where it lies, without the first slash, and its contents.
pub(super) type File = (String, Vec<u8>);

/// Writes the archive with this first process and these files. Returns its path.
pub(super) fn write(name: &str, program: Vec<u8>, files: Vec<File>) -> Result<PathBuf> {
    let path = folder()?.join(name);
    fs::write(&path, with_init(program, files))?;
    Ok(path)
}

/// The first process, with the console that it prints to, folders for what it mounts and writes, and these files.
fn with_init(program: Vec<u8>, files: Vec<File>) -> Vec<u8> {
    const FOLDER: u32 = 0o40_755;
    const DEVICE: u32 = 0o20_600;
    const PROGRAM: u32 = 0o100_755;
    const CONSOLE: (u32, u32) = (5, 1);
    let mut archive = Vec::new();
    let folders = files.iter().flat_map(|(path, _)| folders_of(path)).chain(["dev", "proc", "sys", "tmp"]);
    for folder in folders.collect::<BTreeSet<_>>() {
        add(&mut archive, folder, FOLDER, (0, 0), &[]);
    }
    add(&mut archive, "dev/console", DEVICE, CONSOLE, &[]);
    for (path, contents) in files.into_iter().chain([("init".to_owned(), program)]) {
        add(&mut archive, &path, PROGRAM, (0, 0), &contents);
    }
    add(&mut archive, "TRAILER!!!", 0, (0, 0), &[]);
    archive
}

/// The folders that a path leads through.
fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

/// A header of numbers with eight hexadecimal digits each, the name, and the contents, both filled up to four bytes.
fn add(archive: &mut Vec<u8>, name: &str, mode: u32, (major, minor): (u32, u32), contents: &[u8]) {
    let inode = archive.len() as u32; // any number that no other file has
    let (links, name_size) = (1, name.len() as u32 + 1);
    let numbers = [inode, mode, 0, 0, links, 0, contents.len() as u32, 0, 0, major, minor, name_size, 0]
        .map(|n| format!("{n:08X}"));
    archive.extend(format!("070701{}{name}\0", numbers.concat()).bytes());
    fill_up(archive);
    archive.extend(contents);
    fill_up(archive);
}

fn fill_up(archive: &mut Vec<u8>) {
    archive.resize(archive.len().next_multiple_of(4), 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_begins_with_its_header_at_a_multiple_of_four_bytes() {
        let archive = with_init(b"\x7fELF.".to_vec(), vec![("usr/bin/perf".to_owned(), vec![1])]);
        let headers: Vec<_> =
            archive.windows(6).enumerate().filter(|(_, six)| six == b"070701").map(|(at, _)| at).collect();
        assert_eq!(headers.len(), 10, "six folders, three files, and the end");
        assert!(headers.iter().all(|at| at % 4 == 0));
        let init = String::from_utf8_lossy(&archive[headers[8]..headers[9]]);
        assert!(init.contains("000081ED") && init.contains("00000005"), "mode and size: {init:?}");
        assert!(init.contains("init\0") && init.contains("ELF."));
    }
}
