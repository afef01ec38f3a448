//! The MCP server: the tools, resources and prompts that an agent's client sees, over stdio or HTTP. The only part that
//! knows the protocol's library. Not what the tools do: that is the engine's.

mod ask;
mod callers;
mod follow;
mod http;
mod office;
mod prompts;
mod resources;
mod server;
mod sessions;
mod stdio;
mod token;
mod values;

use crate::{context::Context, failure::Failure, output::visible};
use follow::Follower;
use office::Office;
use server::Server;
use std::{
    fs::File,
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    net::TcpListener,
    runtime::{Builder, Runtime},
};
use tokio_util::sync::CancellationToken;
use worklist::tools::Set;

/// How to serve.
pub(crate) struct Service {
    pub(crate) set: Set,
    pub(crate) bound: usize,
    /// Over HTTP at this address; else over stdio.
    pub(crate) http: Option<SocketAddr>,
    /// The file of the tokens that are accepted over HTTP; without one a token is made.
    pub(crate) tokens: Option<PathBuf>,
    /// Where to write what happens; else nowhere, or to standard error if asked to be wordy.
    pub(crate) log: Option<PathBuf>,
    pub(crate) verbose: bool,
}

/// Serves until the client goes, or until somebody ends it.
pub(crate) fn serve(context: &Context, service: &Service) -> Result<(), Failure> {
    log_to(service)?;
    let runtime = runtime().map_err(|error| Failure::other("start the server", &error))?;
    let office = Arc::new(Office::new(context.clone(), service.set, service.bound));
    let follower = Arc::new(Follower::new(office.clone()));
    let gone = CancellationToken::new();
    runtime.spawn(sweep(office.clone()));
    let served = match service.http {
        None => runtime.block_on(stdio::serve(Server::new(office, follower, gone.clone()), gone)),
        Some(address) => {
            let tokens = token::tokens(service.tokens.as_deref(), context.state.as_deref(), address)?;
            runtime.block_on(async {
                let failed = |error| Failure::other(&format!("listen at {address}"), &error);
                let listener = TcpListener::bind(address).await.map_err(failed)?;
                let (own, tokens) = tokens.announced(listener.local_addr().map_err(failed)?)?;
                context.output.complain(&visible(&own));
                let server = move || Server::new(office.clone(), follower.clone(), CancellationToken::new());
                http::serve(listener, tokens, server, gone).await.map_err(failed)
            })
        }
    };
    // Whoever still waits for a task in a thread of its own must not keep the process: its claims would live on.
    runtime.shutdown_background();
    served
}

/// Looks after silent sessions for as long as the process lives.
async fn sweep(office: Arc<Office>) {
    let mut minutes = tokio::time::interval(Duration::from_mins(1));
    loop {
        minutes.tick().await;
        office.sweep();
    }
}

/// One thread for the protocol; what the engine does runs beside it.
fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Standard output belongs to the protocol. What happens is written to a file, or to standard error.
fn log_to(service: &Service) -> Result<(), Failure> {
    let lines = tracing_subscriber::fmt().with_ansi(false).without_time();
    if let Some(path) = &service.log {
        let file = File::options().create(true).append(true).open(path);
        let file = file.map_err(|error| Failure::other(&format!("write to {}", path.display()), &error))?;
        lines.with_writer(Mutex::new(file)).init();
    } else if service.verbose {
        lines.with_writer(std::io::stderr).init();
    }
    Ok(())
}
