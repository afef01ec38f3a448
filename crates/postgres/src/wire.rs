//! One connection: what is asked on it is answered soon, or it is taken for cut. Not what is asked, nor what is done about it.

use std::{future::Future, future::poll_fn, io, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    runtime::{Builder, Runtime},
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::timeout,
};
use tokio_postgres::{
    AsyncMessage, Client, Config, Connection, Row, Socket,
    tls::{MakeTlsConnect, TlsConnect},
    types::{ToSql, Type},
};

/// No statement of ours may take so long: an answer that is not there by then does not come.
pub(crate) const ANSWER: Duration = Duration::from_secs(8);

/// A value with its type: so a question is one message, and no server need remember it for us.
pub(crate) type Value<'a> = (&'a (dyn ToSql + Sync), Type);

/// Why there is no answer.
pub(crate) enum Fault {
    /// What the server or the way to it said.
    Said(tokio_postgres::Error),
    /// Nothing was said at all.
    Silence,
    /// There is nothing to connect with.
    Local(io::Error),
}

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Fault {
        Fault::Said(error)
    }
}

/// A connection, which lives while somebody asks on it.
pub(crate) struct Wire {
    client: Client,
    notices: UnboundedReceiver<()>,
    /// Always there; taken when the connection ends, which must not wait for anything.
    runtime: Option<Runtime>,
}

impl Wire {
    /// Connects.
    pub(crate) fn connect<T>(config: &Config, tls: T) -> Result<Wire, Fault>
    where
        T: MakeTlsConnect<Socket>,
        T::TlsConnect: TlsConnect<Socket>,
        T::Stream: Send + 'static,
    {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(Fault::Local)?;
        let (client, connection) = within(&runtime, ANSWER, config.connect(tls))?;
        let (tell, notices) = unbounded_channel();
        runtime.spawn(carry(connection, tell));
        Ok(Wire { client, notices, runtime: Some(runtime) })
    }

    /// Whether it is known to be cut.
    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Asks a question that may take so long.
    pub(crate) fn rows(
        &self,
        question: &str,
        values: &[Value<'_>],
        limit: Duration,
    ) -> Result<Vec<Row>, Fault> {
        self.within(limit, self.client.query_typed(question, values))
    }

    /// Begins a transaction and asks its first question, both in one message.
    pub(crate) fn first_rows(
        &self,
        question: &str,
        values: &[Value<'_>],
        limit: Duration,
    ) -> Result<Vec<Row>, Fault> {
        self.within(limit, async {
            let both =
                tokio::join!(self.client.batch_execute("BEGIN"), self.client.query_typed(question, values));
            both.0.and(both.1)
        })
    }

    /// Asks the last question of a transaction and ends it, both in one message: nobody waits for us in between.
    pub(crate) fn last_rows(
        &self,
        question: &str,
        values: &[Value<'_>],
        limit: Duration,
    ) -> Result<Vec<Row>, Fault> {
        self.within(limit, async {
            let both =
                tokio::join!(self.client.query_typed(question, values), self.client.batch_execute("COMMIT"));
            both.0.and_then(|rows| both.1.map(|()| rows))
        })
    }

    /// Statements without values.
    pub(crate) fn run(&self, statements: &str, limit: Duration) -> Result<(), Fault> {
        self.within(limit, self.client.batch_execute(statements))
    }

    /// Waits for a notice, at most so long: whether there was one. None if there can be none any more.
    pub(crate) fn notice(&mut self, limit: Duration) -> Option<bool> {
        let heard = self.runtime.as_ref()?.block_on(async { timeout(limit, self.notices.recv()).await });
        match heard {
            Ok(Some(())) => Some(true),
            Ok(None) => None,
            Err(_) => Some(false),
        }
    }

    fn within<T>(
        &self,
        limit: Duration,
        asked: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Fault> {
        self.runtime.as_ref().map_or(Err(Fault::Silence), |it| within(it, limit, asked))
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn within<T>(
    runtime: &Runtime,
    limit: Duration,
    asked: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, Fault> {
    let answer = runtime.block_on(async { timeout(limit, asked).await });
    Ok(answer.map_err(|_| Fault::Silence)??)
}

/// Carries what is asked and answered, and notes that there was a notice.
async fn carry<T>(mut connection: Connection<Socket, T>, tell: UnboundedSender<()>)
where
    T: AsyncRead + AsyncWrite + Unpin,
{
    while let Some(Ok(message)) = poll_fn(|it| connection.poll_message(it)).await {
        if let AsyncMessage::Notification(_) = message {
            // Nobody may be left to hear it.
            _ = tell.send(());
        }
    }
}
