//! The command line of a board without a boot loader: QEMU writes it into memory.

use crate::identity::Identity;

/// Returns the arguments that load the words to this address, eight bytes each.
pub(super) fn words(at: usize, identity: Identity, words: &str) -> Vec<String> {
    let line = format!("identity={identity} {words}");
    let loader = |(number, bytes): (usize, &[u8])| {
        let data = bytes.iter().chain(&[0; 8]).take(8).map(|byte| format!("{byte:02x}")).collect::<String>();
        ["-device".to_owned(), format!("loader,addr={:#x},data=0x{data},data-len=8,data-be=on", at + 8 * number)]
    };
    line.trim_end().as_bytes().chunks(8).enumerate().flat_map(loader).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_put_into_memory_from_the_lowest_byte_on() {
        let loaders = words(0x500_0000, Identity::Power9, "run=x");
        let words: Vec<_> = loaders.iter().map(String::as_str).collect();
        assert_eq!(
            words,
            [
                "-device",
                "loader,addr=0x5000000,data=0x6964656e74697479,data-len=8,data-be=on",
                "-device",
                "loader,addr=0x5000008,data=0x3d706f7765723920,data-len=8,data-be=on",
                "-device",
                "loader,addr=0x5000010,data=0x72756e3d78000000,data-len=8,data-be=on",
            ]
        );
    }
}
