//! How `wl` is linked: where the C library of this machine knows them, addresses that are filled in when the program starts
//! are written down in a packed form. It says the same in a hundredth of the bytes, which every process would map. In the
//! static program, what the usual commands run through lies together.

#![expect(clippy::disallowed_methods, reason = "a build script asks and tells by these")]

use std::process::Command;

/// The first version of the GNU C library that understands it.
const SINCE: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=often.ld");
    let of = |name| std::env::var(name).unwrap_or_default();
    // What is built for another machine is left as any linker leaves it.
    let is_own = of("HOST") == of("TARGET") && of("TARGET").ends_with("linux-gnu");
    if is_own && version().is_some_and(|it| it >= SINCE) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    let is_static = of("TARGET").ends_with("linux-musl") && of("PROFILE") == "release";
    if is_static && understands_scripts() {
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{}/often.ld", of("CARGO_MANIFEST_DIR"));
    }
}

/// Whether the linker is one that understands its script: one that was chosen for being fast is not.
fn understands_scripts() -> bool {
    !std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().contains("mold")
}

/// The version of the C library here, which says `glibc 2.36`.
fn version() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
