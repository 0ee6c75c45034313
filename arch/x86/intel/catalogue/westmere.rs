//! The events of Westmere, most of them Nehalem's.

mod common;
mod many_sockets;
mod one_socket;
mod two_sockets;

use super::nehalem::{offcore, shared};
use crate::event::catalogue::{NamedEvent, merged};

static ALL: [NamedEvent; shared::EVENTS.len() + common::EVENTS.len()] = merged(shared::EVENTS, common::EVENTS);
static WITH_OFFCORE: [NamedEvent; ALL.len() + offcore::EVENTS.len()] = merged(&ALL, offcore::EVENTS);

/// For one socket.
pub(super) static ONE_SOCKET: [NamedEvent; ALL.len() + one_socket::EVENTS.len()] = merged(&ALL, one_socket::EVENTS);
/// For two sockets.
pub(super) static TWO_SOCKETS: [NamedEvent; ALL.len() + two_sockets::EVENTS.len()] = merged(&ALL, two_sockets::EVENTS);
/// For many sockets.
pub(super) static MANY_SOCKETS: [NamedEvent; WITH_OFFCORE.len() + many_sockets::EVENTS.len()] =
    merged(&WITH_OFFCORE, many_sockets::EVENTS);
