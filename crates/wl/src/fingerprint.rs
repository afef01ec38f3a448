//! A short number for a text, by which a change of it is noticed. Not a safeguard against somebody who wants two texts
//! to have the same one.

/// The number of a text: FNV-1a in 64 bits.
pub(crate) fn fingerprint(text: &str) -> u64 {
    text.bytes()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}
