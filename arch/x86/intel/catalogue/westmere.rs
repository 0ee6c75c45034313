//! The events of Westmere.

mod common;
mod many_sockets;
mod one_socket;
mod two_sockets;

use crate::catalogue::{NamedEvent, merged};

/// For one socket.
pub(super) static ONE_SOCKET: [NamedEvent; common::EVENTS.len() + one_socket::EVENTS.len()] =
    merged(common::EVENTS, one_socket::EVENTS);
/// For two sockets.
pub(super) static TWO_SOCKETS: [NamedEvent; common::EVENTS.len() + two_sockets::EVENTS.len()] =
    merged(common::EVENTS, two_sockets::EVENTS);
/// For many sockets.
pub(super) static MANY_SOCKETS: [NamedEvent; common::EVENTS.len() + many_sockets::EVENTS.len()] =
    merged(common::EVENTS, many_sockets::EVENTS);
