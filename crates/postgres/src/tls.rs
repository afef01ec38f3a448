//! Whether the way to a server is encrypted, and how it is made sure that it leads there. Either in full or, on this
//! machine, not at all: what lies between looks safe and is not.

use crate::address::invalid;
use rustls::{ClientConfig, RootCertStore, pki_types::CertificateDer, pki_types::pem::PemObject};
use std::{path::PathBuf, sync::Arc};
use tokio_postgres::config::Host;
use tokio_postgres_rustls::MakeRustlsConnect;
use worklist::Error;

/// How a connection is protected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tls {
    Off,
    /// Encrypted, the certificate checked against these roots or the system's, and the name too.
    Verified {
        root: Option<PathBuf>,
    },
}

impl Tls {
    /// What a URL asks for, or what is right for its hosts.
    pub(crate) fn of(mode: Option<&str>, hosts: &[Host], root: Option<PathBuf>) -> Result<Tls, Error> {
        match mode {
            Some("verify-full") => Ok(Tls::Verified { root }),
            None if root.is_some() || !hosts.iter().all(is_here) => Ok(Tls::Verified { root }),
            None | Some("disable") => Ok(Tls::Off),
            Some(_) => Err(invalid(
                "knows `sslmode=verify-full` and `sslmode=disable`; what lies between protects nobody",
            )),
        }
    }
}

fn is_here(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|it: std::net::IpAddr| it.is_loopback())
        }
    }
}

/// What makes connections that are checked.
pub(crate) fn connector(root: Option<&PathBuf>) -> Result<MakeRustlsConnect, Error> {
    let mut roots = RootCertStore::empty();
    match root {
        Some(path) => {
            let unreadable =
                || invalid(&format!("names {}, which holds no certificate that can be read", path.display()));
            let found = CertificateDer::pem_file_iter(path).map_err(|_| unreadable())?;
            roots.add_parsable_certificates(found.flatten());
            if roots.is_empty() {
                return Err(unreadable());
            }
        }
        None => _ = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs),
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| invalid(&format!("cannot be reached with TLS: {error}")))?;
    Ok(MakeRustlsConnect::new(config.with_root_certificates(roots).with_no_client_auth()))
}
