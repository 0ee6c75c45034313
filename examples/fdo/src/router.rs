//! What is measured: a router of packets whose hot path a plain build lays out badly. Most packets are short and plain, and are
//! sent on. The code does not say that: what the others need comes first, and the compiler lays it into the way.

/// The longest packet that is sent in one piece, in bytes.
const LONGEST: u64 = 1500;
/// The longest piece.
const PIECE: u64 = 256;
/// A packet that has made more hops is answered, and not sent on.
const MOST_HOPS: u64 = 62;
/// Packets with a lower number of options have some.
const PLAIN: u64 = 2;
/// The kind of a packet that is for the router itself.
const OWN: u64 = 0;
/// The ports of the router.
const PORTS: usize = 16;

/// A router, and the source of its packets: a sequence that looks random and is always the same.
pub struct Router {
    seed: u64,
    sent: [u64; PORTS],
    pieces: [u64; PORTS],
    answers: [u64; PORTS],
    options: [u64; PORTS],
    own: [u64; PORTS],
}

/// What a packet says of itself.
struct Packet {
    length: u64,
    hops: u64,
    options: u64,
    kind: u64,
    port: usize,
}

impl Router {
    /// A router that has sent nothing yet.
    pub const fn new() -> Self {
        let none = [0; PORTS];
        Self { seed: 1, sent: none, pieces: none, answers: none, options: none, own: none }
    }

    /// Takes the next packet and sends it on.
    #[inline(never)]
    pub fn forward(&mut self) {
        let packet = self.receive();
        if packet.length > LONGEST {
            self.cut(&packet);
        } else if packet.hops > MOST_HOPS {
            self.answer(&packet);
        } else if packet.options < PLAIN {
            self.read_options(&packet);
        } else if packet.kind == OWN {
            self.take(&packet);
        } else {
            self.sent[packet.port] += packet.length;
        }
    }

    /// The next packet of a linear congruential sequence. Of 64 packets some five are not plain.
    fn receive(&mut self) -> Packet {
        self.seed = self.seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        let field = |at: u32, size: u32| self.seed >> at & ((1 << size) - 1);
        let (length, hops, options) = (field(20, 10) * 3 / 2, field(30, 6), field(36, 7));
        Packet { length, hops, options, kind: field(47, 6), port: field(43, 4) as usize }
    }

    fn cut(&mut self, packet: &Packet) {
        let mut left = packet.length;
        while left > 0 {
            let piece = left.min(PIECE);
            self.pieces[(packet.port + piece as usize) % PORTS] += piece;
            left -= piece;
        }
    }

    fn answer(&mut self, packet: &Packet) {
        for (number, answer) in self.answers.iter_mut().enumerate() {
            *answer = answer.rotate_left(3) ^ packet.length.wrapping_mul(number as u64 | 1);
        }
    }

    fn read_options(&mut self, packet: &Packet) {
        for (number, option) in self.options.iter_mut().enumerate() {
            *option = option.rotate_left(packet.options as u32) ^ packet.hops << number;
        }
    }

    fn take(&mut self, packet: &Packet) {
        for (number, own) in self.own.iter_mut().enumerate() {
            *own = own.wrapping_mul(31) ^ packet.length >> number;
        }
    }
}
