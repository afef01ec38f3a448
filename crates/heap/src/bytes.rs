//! Copying and comparing bytes, in the place of what musl's C library has for it: that starts a loop of the processor for a
//! few bytes, which takes longer than the copying, and compares one byte at a time. Most of what a command copies is shorter
//! than a line.
//!
//! What is copied is wholly read before it is written, or from the side on which it does not overlap: so one function serves
//! for both, that which may assume that nothing overlaps and that which may not.

use std::arch::global_asm;

#[expect(unsafe_code, reason = "a compiler that sees a loop that copies calls the function that this is")]
mod code {
    use super::global_asm;

    global_asm!(
        ".globl worklist_copy",
        ".type worklist_copy, @function",
        ".p2align 5",
        "worklist_copy:",
        "mov rax, rdi",
        "cmp rdx, 16",
        "jb 3f",
        "cmp rdx, 32",
        "ja 2f",
        // From 16 to 32: the first and the last 16, which may be partly the same.
        "movups xmm0, [rsi]",
        "movups xmm1, [rsi + rdx - 16]",
        "movups [rdi], xmm0",
        "movups [rdi + rdx - 16], xmm1",
        "ret",
        "2:",
        "cmp rdx, 64",
        "ja 2f",
        "movups xmm0, [rsi]",
        "movups xmm1, [rsi + 16]",
        "movups xmm2, [rsi + rdx - 32]",
        "movups xmm3, [rsi + rdx - 16]",
        "movups [rdi], xmm0",
        "movups [rdi + 16], xmm1",
        "movups [rdi + rdx - 32], xmm2",
        "movups [rdi + rdx - 16], xmm3",
        "ret",
        "2:",
        // The last 64, and the first 64, are kept until everything between them is in its place.
        "movups xmm0, [rsi]",
        "movups xmm1, [rsi + 16]",
        "movups xmm2, [rsi + 32]",
        "movups xmm3, [rsi + 48]",
        "movups xmm4, [rsi + rdx - 64]",
        "movups xmm5, [rsi + rdx - 48]",
        "movups xmm6, [rsi + rdx - 32]",
        "movups xmm7, [rsi + rdx - 16]",
        "cmp rdx, 128",
        "ja 4f",
        "1:",
        "movups [rdi], xmm0",
        "movups [rdi + 16], xmm1",
        "movups [rdi + 32], xmm2",
        "movups [rdi + 48], xmm3",
        "movups [rdi + rdx - 64], xmm4",
        "movups [rdi + rdx - 48], xmm5",
        "movups [rdi + rdx - 32], xmm6",
        "movups [rdi + rdx - 16], xmm7",
        "ret",
        "3:",
        "cmp edx, 8",
        "jb 2f",
        "mov rcx, [rsi]",
        "mov r8, [rsi + rdx - 8]",
        "mov [rdi], rcx",
        "mov [rdi + rdx - 8], r8",
        "ret",
        "2:",
        "cmp edx, 4",
        "jb 2f",
        "mov ecx, [rsi]",
        "mov r8d, [rsi + rdx - 4]",
        "mov [rdi], ecx",
        "mov [rdi + rdx - 4], r8d",
        "ret",
        "2:",
        "cmp edx, 1",
        "jb 2f",
        "movzx ecx, byte ptr [rsi]",
        "movzx r8d, byte ptr [rsi + rdx - 1]",
        "je 5f",
        "movzx r9d, byte ptr [rsi + 1]",
        "mov [rdi + 1], r9b",
        "5:",
        "mov [rdi], cl",
        "mov [rdi + rdx - 1], r8b",
        "2:",
        "ret",
        "4:",
        "mov rcx, rdi",
        "sub rcx, rsi",
        "cmp rcx, rdx",
        "jb 6f",
        // From the front. What is long goes by the loop of the processor, which is the fastest for that.
        "cmp rdx, 1024",
        "jae 7f",
        "lea rcx, [rdx - 64]",
        "mov r8d, 64",
        "5:",
        "movups xmm8, [rsi + r8]",
        "movups xmm9, [rsi + r8 + 16]",
        "movups xmm10, [rsi + r8 + 32]",
        "movups xmm11, [rsi + r8 + 48]",
        "movups [rdi + r8], xmm8",
        "movups [rdi + r8 + 16], xmm9",
        "movups [rdi + r8 + 32], xmm10",
        "movups [rdi + r8 + 48], xmm11",
        "add r8, 64",
        "cmp r8, rcx",
        "jb 5b",
        "jmp 1b",
        "7:",
        "mov rcx, rdx",
        "rep movsb",
        "ret",
        // From the back, because the front of what is written is the back of what is read.
        "6:",
        "lea r8, [rdx - 128]",
        "5:",
        "movups xmm8, [rsi + r8]",
        "movups xmm9, [rsi + r8 + 16]",
        "movups xmm10, [rsi + r8 + 32]",
        "movups xmm11, [rsi + r8 + 48]",
        "movups [rdi + r8], xmm8",
        "movups [rdi + r8 + 16], xmm9",
        "movups [rdi + r8 + 32], xmm10",
        "movups [rdi + r8 + 48], xmm11",
        "sub r8, 64",
        "ja 5b",
        "jmp 1b",
        ".size worklist_copy, . - worklist_copy",
        ".globl worklist_compare",
        ".type worklist_compare, @function",
        ".p2align 5",
        "worklist_compare:",
        "xor eax, eax",
        "2:",
        "cmp rdx, 16",
        "jb 3f",
        "movups xmm0, [rdi]",
        "movups xmm1, [rsi]",
        "pcmpeqb xmm0, xmm1",
        "pmovmskb ecx, xmm0",
        "xor ecx, 0xffff",
        "jnz 4f",
        "add rdi, 16",
        "add rsi, 16",
        "sub rdx, 16",
        "jmp 2b",
        "3:",
        "cmp edx, 8",
        "jb 3f",
        "mov rcx, [rdi]",
        "mov r8, [rsi]",
        "cmp rcx, r8",
        "jne 5f",
        "add rdi, 8",
        "add rsi, 8",
        "sub edx, 8",
        "3:",
        "test edx, edx",
        "jz 2f",
        "movzx eax, byte ptr [rdi]",
        "movzx ecx, byte ptr [rsi]",
        "sub eax, ecx",
        "jnz 2f",
        "inc rdi",
        "inc rsi",
        "dec edx",
        "jmp 3b",
        "2:",
        "ret",
        "4:",
        "bsf ecx, ecx",
        "movzx eax, byte ptr [rdi + rcx]",
        "movzx ecx, byte ptr [rsi + rcx]",
        "sub eax, ecx",
        "ret",
        "5:",
        "bswap rcx",
        "bswap r8",
        "cmp rcx, r8",
        "sbb eax, eax",
        "or eax, 1",
        "ret",
        ".size worklist_compare, . - worklist_compare",
    );

    // By the names under which everybody calls them.
    #[cfg(target_env = "musl")]
    global_asm!(
        ".globl memcpy",
        ".set memcpy, worklist_copy",
        ".globl memmove",
        ".set memmove, worklist_copy",
        ".globl memcmp",
        ".set memcmp, worklist_compare",
        ".globl bcmp",
        ".set bcmp, worklist_compare",
    );
}

#[cfg(test)]
mod tests {
    #[expect(unsafe_code, reason = "what is not written in Rust is declared so")]
    unsafe extern "C" {
        fn worklist_copy(to: *mut u8, from: *const u8, count: usize) -> *mut u8;
        fn worklist_compare(one: *const u8, other: *const u8, count: usize) -> i32;
    }

    fn noise(count: usize) -> Vec<u8> {
        let mut state = 0x9e37_79b9_u32;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state.to_le_bytes()[0]
        };
        (0..count).map(|_| next()).collect()
    }

    /// Every short length and some long ones, from every place to every other nearby, overlapping or not.
    #[test]
    fn what_is_copied_is_what_was_there() {
        let bytes = noise(9_000);
        for count in (0..=300).chain([511, 512, 513, 1_023, 1_024, 1_025, 4_000]) {
            for (from, to) in [
                (0, 4_100),
                (4_103, 1),
                (64, 64),
                (64, 65),
                (65, 64),
                (64, 80),
                (80, 64),
                (64, 127),
                (130, 64),
                (64, 200),
                (201, 64),
            ] {
                let (mut ours, mut theirs) = (bytes.clone(), bytes.clone());
                let start = ours.as_mut_ptr();
                // SAFETY: both ends of both stretches lie in the bytes.
                #[expect(unsafe_code, reason = "that is what is tested")]
                let answer = unsafe { worklist_copy(start.add(to), start.add(from), count) };
                assert_eq!(answer.addr(), start.addr() + to);
                theirs.copy_within(from..from + count, to);
                assert!(ours == theirs, "{count} from {from} to {to}");
            }
        }
    }

    #[test]
    fn what_differs_first_decides() {
        let bytes = noise(200);
        for count in 0..=100 {
            for shift in 0..4 {
                for differs in 0..count + 2 {
                    for by in [1_u8, 0x80, 0xff] {
                        let (one, mut other) = (&bytes[shift..], bytes[shift..].to_vec());
                        other[differs] = other[differs].wrapping_add(by);
                        // What stands behind the first difference does not count.
                        other[differs + 1..].reverse();
                        // SAFETY: both are longer than what is compared.
                        #[expect(unsafe_code, reason = "that is what is tested")]
                        let answer = unsafe { worklist_compare(one.as_ptr(), other.as_ptr(), count) };
                        let expected = one[..count].cmp(&other[..count]) as i32;
                        assert_eq!(answer.signum(), expected, "{count}, at {differs}");
                    }
                }
            }
        }
    }
}
