//! What sampling hardware recorded, by the address of the instruction.

use super::Profile;
use crate::event::Record;

/// Adds what sampling hardware recorded, each at the address of its instruction in image 0. A record without one counts as left
/// out.
///
/// By the address of the data a profile shows which data are accessed, and by cache line, with the threads for images, which
/// lines threads share:
///
/// ```
/// use pmu::output::profile::{ImageId, Nameless, Place, Profile};
/// use pmu::output::report::ProfileReport;
/// use pmu::precise::Record;
///
/// let mut records = [Record::new(0x1004); 3]; // as `Records::read` returns them
/// for (record, (thread, data)) in records.iter_mut().zip([(1, 0x8000), (2, 0x8008), (2, 0x8048)]) {
///     (record.thread, record.data_address) = (thread, Some(data));
/// }
/// let (mut instructions, mut lines) = (Profile::<64>::new(), Profile::<64>::new());
/// instructions.extend(records);
/// for record in records {
///     if let Some(address) = record.data_address {
///         lines.add(Place { image: ImageId(record.thread), address: address & !63 }, 1); // lines of 64 bytes
///     }
/// }
/// assert_eq!(instructions.at(0x1004), 3);
/// let of = |thread, address| lines.at(Place { image: ImageId(thread), address });
/// assert_eq!([of(1, 0x8000), of(2, 0x8000), of(2, 0x8040)], [1, 1, 1]); // both threads access the first line
/// print!("{}", ProfileReport::by_address(&lines, &Nameless)); // a resolver of data's symbols and threads' names prints both
/// ```
impl<const N: usize> Extend<Record> for Profile<N> {
    fn extend<I: IntoIterator<Item = Record>>(&mut self, records: I) {
        records.into_iter().for_each(|record| match record.address {
            Some(address) => self.add(address, 1),
            None => self.0.leave_out(1),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_counted_at_its_instruction_and_left_out_without_one() {
        let mut profile = Profile::<4>::new();
        profile.extend([Record::new(8), Record::default(), Record::new(8)]);
        assert_eq!((profile.at(8), profile.left_out(), profile.total()), (2, 1, 3));
    }
}
