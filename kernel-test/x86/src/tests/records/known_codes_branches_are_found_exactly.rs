//! Each branch of known code is there, with its kind if the recorder has kinds, and none between them.

use pmu::Modes;
use pmu::branches::{BranchFilter, Branches};

use super::code::{addresses, branches_of_path, call_path, path};
use super::recorder;

pub fn test() {
    let recorder = recorder();
    let (found, ()) = recorder.around::<32, _>(&BranchFilter::new(Modes::ALL), call_path).expect("it has everything");
    let newest = found.iter().position(|branch| branch.from == branches_of_path()[7].from).expect("its return");
    assert_eq!(newest, 0, "nothing comes between the code and the halt: {found}");
    let mut older = found[1..].iter();
    for expected in branches_of_path()[..7].iter().rev().take(recorder.depth() - 1) {
        let branch = older.next().expect("there is room");
        assert_eq!(addresses(*branch), addresses(*expected), "{found}");
        assert!(branch.kind.is_none_or(|kind| Some(kind) == expected.kind), "{found}");
    }
    if let Some(call) = older.next() {
        assert_eq!((call.to, found[0].to), (path as *const () as u64, call.from + 5));
        assert_eq!(older.len(), 0, "nothing comes between the start and the code: {found}");
    }
}
