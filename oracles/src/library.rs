//! The calls into libpfm4. Nothing else here is unsafe.
//!
//! Source: `perfmon/pfmlib.h` of libpfm4 4.13 (MIT).

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;
use std::sync::LazyLock;

/// `pfm_pmu_info_t`.
#[repr(C)]
struct PmuInfo {
    name: *const c_char,
    description: *const c_char,
    size: usize,
    pmu: c_int,
    kind: c_int,
    events: c_int,
    first_event: c_int,
    max_encoding: c_int,
    counters: c_int,
    fixed_counters: c_int,
    flags: u32,
}

/// `pfm_event_info_t`.
#[repr(C)]
struct EventInfo {
    name: *const c_char,
    description: *const c_char,
    equivalent: *const c_char,
    size: usize,
    code: u64,
    pmu: c_int,
    data: c_int,
    index: c_int,
    attributes: c_int,
    reserved: c_int,
    flags: u32,
}

/// `pfm_event_attr_info_t`.
#[repr(C)]
struct AttributeInfo {
    name: *const c_char,
    description: *const c_char,
    equivalent: *const c_char,
    size: usize,
    code: u64,
    kind: c_int,
    index: c_int,
    control: c_int,
    flags: u32,
    default: u64,
}

/// `PFM_ATTR_UMASK`.
const UNIT_MASK: c_int = 1;
/// `PFM_PLM0` and `PFM_PLM3`: the kernel and programs.
const KERNEL_AND_USER: c_int = 0x01 | 0x08;

#[link(name = "pfm")]
unsafe extern "C" {
    fn pfm_initialize() -> c_int;
    fn pfm_get_pmu_info(pmu: c_int, output: *mut PmuInfo) -> c_int;
    fn pfm_get_event_next(index: c_int) -> c_int;
    fn pfm_get_event_info(index: c_int, os: c_int, output: *mut EventInfo) -> c_int;
    fn pfm_get_event_attr_info(event: c_int, attribute: c_int, os: c_int, output: *mut AttributeInfo) -> c_int;
    fn pfm_get_event_encoding(
        text: *const c_char,
        modes: c_int,
        full: *mut *mut c_char,
        index: *mut c_int,
        codes: *mut *mut u64,
        count: *mut c_int,
    ) -> c_int;
    fn free(pointer: *mut c_char);
    fn setenv(name: *const c_char, value: *const c_char, overwrite: c_int) -> c_int;
}

/// libpfm4, told to encode for processors that are not here.
#[derive(Debug)]
pub(crate) struct Library(());

/// An event of libpfm's, with the names of its unit masks.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) masks: Vec<String>,
}

/// What libpfm makes of a text: the whole of it, and the words for the registers.
#[derive(Debug)]
pub(crate) struct Encoded {
    pub(crate) text: String,
    pub(crate) words: Vec<u64>,
}

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    // SAFETY: the texts end with 0, and no other thread reads the environment: they all come here first.
    let result = unsafe {
        setenv(c"LIBPFM_ENCODE_INACTIVE".as_ptr(), c"1".as_ptr(), 1);
        pfm_initialize()
    };
    assert_eq!(result, 0, "libpfm4 cannot be initialised");
    Library(())
});

impl Library {
    pub(crate) fn get() -> &'static Self {
        &LIBRARY
    }

    /// Returns the events of the unit with this name; none if libpfm does not know it.
    pub(crate) fn events_of(&self, unit: &str) -> Vec<Event> {
        let Some(first) = (0..1024).find_map(|number| self.first_event(number, unit)) else { return Vec::new() };
        // SAFETY: the library is initialised; an index that is not one ends the walk.
        let indices = std::iter::successors(Some(first), |&index| Some(unsafe { pfm_get_event_next(index) }));
        indices.take_while(|&index| index >= 0).filter_map(|index| self.event(index)).collect()
    }

    fn first_event(&self, number: c_int, unit: &str) -> Option<c_int> {
        // SAFETY: all its bits may be 0.
        let mut info: PmuInfo = unsafe { std::mem::zeroed() };
        info.size = size_of::<PmuInfo>();
        // SAFETY: `info` is what the library takes, and says how large it is.
        let found = unsafe { pfm_get_pmu_info(number, &raw mut info) } == 0;
        (found && text(info.name) == unit).then_some(info.first_event)
    }

    fn event(&self, index: c_int) -> Option<Event> {
        // SAFETY: all its bits may be 0.
        let mut info: EventInfo = unsafe { std::mem::zeroed() };
        info.size = size_of::<EventInfo>();
        // SAFETY: `info` is what the library takes, and says how large it is.
        let found = unsafe { pfm_get_event_info(index, 0, &raw mut info) } == 0;
        let masks = (0..info.attributes).filter_map(|number| self.mask(index, number)).collect();
        found.then(|| Event { name: text(info.name), masks })
    }

    fn mask(&self, event: c_int, number: c_int) -> Option<String> {
        // SAFETY: all its bits may be 0.
        let mut info: AttributeInfo = unsafe { std::mem::zeroed() };
        info.size = size_of::<AttributeInfo>();
        // SAFETY: `info` is what the library takes, and says how large it is.
        let found = unsafe { pfm_get_event_attr_info(event, number, 0, &raw mut info) } == 0;
        (found && info.kind == UNIT_MASK).then(|| text(info.name))
    }

    /// Returns what libpfm makes of a text, in user programs and in the kernel; `None` if it refuses it.
    pub(crate) fn encode(&self, event: &str) -> Option<Encoded> {
        let event = CString::new(event).expect("no name has a 0 in it");
        let (mut full, mut codes, mut count) = (ptr::null_mut(), ptr::null_mut(), 0);
        // SAFETY: the library allocates what it returns, which is freed below.
        let result = unsafe {
            pfm_get_event_encoding(
                event.as_ptr(),
                KERNEL_AND_USER,
                &raw mut full,
                ptr::null_mut(),
                &raw mut codes,
                &raw mut count,
            )
        };
        if result != 0 {
            return None;
        }
        // SAFETY: the library returned so many words.
        let words = unsafe { std::slice::from_raw_parts(codes, count as usize) }.to_vec();
        let encoded = Encoded { text: text(full), words };
        // SAFETY: both were allocated by malloc, and are not used any more.
        unsafe {
            free(full);
            free(codes.cast());
        }
        Some(encoded)
    }
}

/// Copies one of the library's texts.
fn text(from: *const c_char) -> String {
    // SAFETY: the library's texts end with 0, and outlive the call.
    unsafe { CStr::from_ptr(from) }.to_string_lossy().into_owned()
}
