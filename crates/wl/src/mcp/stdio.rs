//! The server on its standard streams, whatever the client made them of. Most clients hand over sockets, for which the
//! library has only threads; read and written directly they are three times as fast. Not the messages.

use super::server::Server;
use crate::failure::Failure;
use rmcp::{
    RoleServer, ServiceExt,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::{Transport, async_rw::AsyncRwTransport},
};
use std::io;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

/// A message may be so long, as over HTTP.
pub(super) const LONGEST: usize = 4 * 1024 * 1024;

/// Serves until the client closes its end, or until somebody ends it.
pub(super) async fn serve(server: Server, gone: CancellationToken) -> Result<(), Failure> {
    let (read, write) = streams();
    let lines = AsyncRwTransport::new_server(read, write).with_max_line_length(LONGEST);
    let transport = Patient { lines, opened: false, gone: gone.clone() };
    let ended = super::http::ended();
    let serving = async {
        // A client that goes before it has said anything is no failure.
        let Ok(running) = server.serve(transport).await else { return };
        _ = running.waiting().await;
    };
    tokio::select! {
        () = serving => {}
        () = ended => gone.cancel(),
    }
    Ok(())
}

/// Until the first request, whatever is none is passed over: the library would end the connection for it.
struct Patient<R: AsyncRead, W: AsyncWrite> {
    lines: AsyncRwTransport<RoleServer, R, W>,
    opened: bool,
    /// Set when the client is gone, so that nobody goes on waiting in its name.
    gone: CancellationToken,
}

impl<R, W> Transport<RoleServer> for Patient<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.lines.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(message) = self.lines.receive().await else {
                self.gone.cancel();
                return None;
            };
            self.opened |= matches!(message, RxJsonRpcMessage::<RoleServer>::Request(_));
            if self.opened {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.lines.close().await
    }
}

type Reader = Box<dyn AsyncRead + Send + Unpin>;
type Writer = Box<dyn AsyncWrite + Send + Unpin>;

fn streams() -> (Reader, Writer) {
    #[cfg(unix)]
    if let Some(pair) = unix::streams() {
        return pair;
    }
    (Box::new(tokio::io::stdin()), Box::new(tokio::io::stdout()))
}

#[cfg(unix)]
mod unix {
    //! Sockets and pipes without a thread between.

    use super::{Reader, Writer};
    use std::{
        fs::{File, Metadata, OpenOptions},
        os::{
            fd::{AsFd, OwnedFd},
            unix::{
                fs::{FileTypeExt, OpenOptionsExt},
                net::UnixStream as Blocking,
            },
        },
    };
    use tokio::net::{
        UnixStream,
        unix::pipe::{Receiver, Sender},
    };

    pub(super) fn streams() -> Option<(Reader, Writer)> {
        let (read, write) = (std::io::stdin(), std::io::stdout());
        let (read, write) =
            (read.as_fd().try_clone_to_owned().ok()?, write.as_fd().try_clone_to_owned().ok()?);
        let kinds = [kind(&read)?.file_type(), kind(&write)?.file_type()];
        if kinds.iter().all(FileTypeExt::is_socket) {
            return Some((Box::new(socket(read)?), Box::new(socket(write)?)));
        }
        if kinds.iter().all(FileTypeExt::is_fifo) {
            let (read, write) = (Receiver::from_file(again("/dev/fd/0", false)?), again("/dev/fd/1", true)?);
            return Some((Box::new(read.ok()?), Box::new(Sender::from_file(write).ok()?)));
        }
        None
    }

    fn kind(descriptor: &OwnedFd) -> Option<Metadata> {
        File::from(descriptor.try_clone().ok()?).metadata().ok()
    }

    fn socket(descriptor: OwnedFd) -> Option<UnixStream> {
        let stream = Blocking::from(descriptor);
        stream.set_nonblocking(true).ok()?;
        UnixStream::from_std(stream).ok()
    }

    /// The same pipe, opened once more: that it does not block is then seen by nobody who shares it.
    fn again(path: &str, write: bool) -> Option<File> {
        let flags = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).ok()?;
        OpenOptions::new().read(!write).write(write).custom_flags(flags).open(path).ok()
    }
}
