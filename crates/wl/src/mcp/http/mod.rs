//! The server over HTTP, on this machine alone: who may come in, and who a request comes from. The same way in for
//! whatever handler is put behind it. Not the messages, and nothing of the rest of the program.

mod gate;

pub(crate) use gate::{Guest, Token};

use axum::{Router, http::request::Parts, middleware::from_fn_with_state, serve::ListenerExt};
use gate::{Gate, enter, names};
use rmcp::{
    RoleServer, ServerHandler,
    service::RequestContext,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use std::{io, sync::Arc};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// A request may be so long.
const LONGEST: usize = 4 * 1024 * 1024;

/// The guest behind a request, if it came over HTTP.
pub(crate) fn guest(context: &RequestContext<RoleServer>) -> Option<Guest> {
    context.extensions.get::<Parts>()?.extensions.get::<Guest>().cloned()
}

/// Serves until somebody ends it.
pub(crate) async fn serve<S: ServerHandler>(
    listener: TcpListener,
    tokens: Vec<Token>,
    server: impl Fn() -> S + Send + Sync + 'static,
    gone: CancellationToken,
) -> io::Result<()> {
    let own = listener.local_addr()?;
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(names(own))
        .with_allowed_origins(names(own).map(|it| format!("http://{it}")))
        .with_max_request_body_bytes(LONGEST)
        .with_cancellation_token(gone.clone());
    let service =
        StreamableHttpService::new(move || Ok(server()), Arc::new(LocalSessionManager::default()), config);
    let gate = Arc::new(Gate::new(tokens, own));
    let router = Router::new().route_service("/mcp", service).layer(from_fn_with_state(gate, enter));
    // An answer goes out in two writes: without this each one waits for an acknowledgement, 45 ms.
    let listener = listener.tap_io(|it| _ = it.set_nodelay(true));
    let ending = async move {
        tokio::select! {
            () = ended() => gone.cancel(),
            () = gone.cancelled() => {}
        }
    };
    axum::serve(listener, router).with_graceful_shutdown(ending).await
}

/// Until somebody ends this process in an orderly way.
pub(crate) async fn ended() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut term), Ok(mut interrupt)) =
            (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
        {
            tokio::select! { _ = term.recv() => {}, _ = interrupt.recv() => {} }
            return;
        }
    }
    _ = tokio::signal::ctrl_c().await;
}
