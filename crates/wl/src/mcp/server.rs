//! What a client can ask of the server, and where each request goes. One for each connection. Not the answers.

use super::{
    ask,
    callers::Caller,
    follow::{Follower, Listener, News},
    office::{Call, Office},
    prompts, resources, values,
};
use crate::guide::RULES;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
        ContentBlock, GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, MetaObject,
        PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams, ReadResourceResponse,
        ResourceUpdatedNotificationParam, ServerCapabilities, ServerConfig, SubscribeRequestParams,
        SubscriptionFilter, Tool, ToolAnnotations, UnsubscribeRequestParams,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use serde_json::Value;
use std::{
    collections::{HashSet, VecDeque},
    ops::ControlFlow,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};
use tokio_util::sync::CancellationToken;
use worklist::{
    json::Json,
    tools::{Effect, Reply, Set, Word},
};

/// What the server calls itself.
pub(super) const NAME: &str = "worklist";

/// One connection.
#[derive(Clone)]
pub(super) struct Server {
    office: Arc<Office>,
    follower: Arc<Follower>,
    connection: Arc<Connection>,
}

/// What is known of a connection. When it is dropped, its session ends.
struct Connection {
    office: Arc<Office>,
    /// The client is gone: nobody waits for an answer any more.
    gone: CancellationToken,
    caller: Mutex<Option<Caller>>,
    /// The resources that it wants to hear of, in the older protocol.
    wanted: Mutex<HashSet<String>>,
    /// Whether somebody already tells it.
    told: AtomicBool,
    /// Those who were promised to hear of changes and do not listen yet, in the newer protocol.
    promised: Mutex<VecDeque<Listener>>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(caller) = self.caller.lock().unwrap_or_else(PoisonError::into_inner).take() {
            self.office.leave(&caller);
        }
    }
}

impl Server {
    pub(super) fn new(office: Arc<Office>, follower: Arc<Follower>, gone: CancellationToken) -> Server {
        let connection = Connection {
            office: office.clone(),
            gone,
            caller: Mutex::default(),
            wanted: Mutex::default(),
            told: AtomicBool::new(false),
            promised: Mutex::default(),
        };
        Server { office, follower, connection: Arc::new(connection) }
    }

    /// Answers a call of a tool beside the thread of the protocol.
    async fn called(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
        caller: &Caller,
        word: Word,
    ) -> Result<Reply, ErrorData> {
        let (office, caller) = (self.office.clone(), caller.clone());
        let tool = request.name.to_string();
        let input = match input(request) {
            Ok(input) => input,
            Err(fault) => return Ok(Reply::unreadable(&fault)),
        };
        let (gone, cancelled) = (self.connection.gone.clone(), context.ct.clone());
        let progress = Progress::of(context);
        let work = move || {
            let goes_on = |waited: u64| {
                if gone.is_cancelled() || cancelled.is_cancelled() {
                    return ControlFlow::Break(());
                }
                progress.tell(waited);
                ControlFlow::Continue(())
            };
            office.call(&Call { caller: &caller, tool: &tool, input: &input, word, goes_on: &goes_on })
        };
        blocking(work).await
    }

    /// Tells a client of the older protocol about the resources that it subscribed to.
    fn tell(&self, context: &RequestContext<RoleServer>) {
        let (mut news, peer) = (self.follower.follow(), context.peer.clone());
        let connection = Arc::downgrade(&self.connection);
        tokio::spawn(async move {
            while let Some(news) = news.next().await {
                let Some(connection) = connection.upgrade() else { return };
                let wanted = connection.wanted.lock().unwrap_or_else(PoisonError::into_inner).clone();
                for uri in wanted.into_iter().filter(|it| news.concern(it)) {
                    if peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await.is_err()
                    {
                        return;
                    }
                }
                if news.members && peer.notify_resource_list_changed().await.is_err() {
                    return;
                }
            }
        });
    }
}

/// What a call brings along. A call without arguments is one with none.
fn input(request: &CallToolRequestParams) -> Result<Json, String> {
    request.arguments.as_ref().map_or(Ok(Json::Null), |it| values::json(&Value::Object(it.clone())))
}

/// Runs something of the engine's where it may wait for the disk.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ErrorData> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| ErrorData::internal_error(format!("the call did not end well: {error}"), None))
}

/// Says that a wait goes on, to a client that wants to know.
struct Progress {
    tell: Option<Box<dyn Fn(u64) + Send>>,
    /// What was told last: the number must grow each time, and nobody wants it more often.
    told: AtomicU64,
}

impl Progress {
    fn of(context: &RequestContext<RoleServer>) -> Progress {
        let Some(token) = context.meta.get_progress_token() else {
            return Progress { tell: None, told: AtomicU64::default() };
        };
        let (peer, runtime) = (context.peer.clone(), tokio::runtime::Handle::current());
        let tell = move |waited: u64| {
            let milliseconds = u32::try_from(waited).unwrap_or(u32::MAX);
            let message = format!("waiting for a task to become ready ({} s)", milliseconds / 1000);
            let note = ProgressNotificationParam::new(token.clone(), f64::from(milliseconds) / 1000.0);
            let (peer, note) = (peer.clone(), note.with_message(message));
            runtime.spawn(async move { peer.notify_progress(note).await });
        };
        Progress { tell: Some(Box::new(tell)), told: AtomicU64::default() }
    }

    fn tell(&self, waited: u64) {
        let is_time = waited >= self.told.load(Ordering::Relaxed) + 1000;
        if let Some(tell) = self.tell.as_ref().filter(|_| is_time) {
            self.told.store(waited, Ordering::Relaxed);
            tell(waited);
        }
    }
}

/// A tool as clients are told of it. Names and texts are constants: nothing that a task says gets into them.
fn tool(tool: &worklist::tools::Tool) -> Tool {
    let annotations = ToolAnnotations::new()
        .read_only(tool.effect == Effect::Looks)
        .destructive(tool.effect == Effect::Removes)
        .open_world(false);
    let mut meta = MetaObject::new();
    // The whole set is smaller than a search for it.
    meta.insert("anthropic/alwaysLoad".to_owned(), Value::Bool(true));
    let mut shown = Tool::new(tool.name, tool.description, values::object(&tool.input_schema()));
    shown.meta = Some(meta);
    shown.with_annotations(annotations)
}

/// What the model reads is the text alone: a client that gets data shows it in the text's place.
fn result(reply: &Reply) -> CallToolResult {
    let content = vec![ContentBlock::text(reply.text.as_str())];
    match reply.error {
        None => CallToolResult::success(content),
        Some(code) => {
            let mut result = CallToolResult::error(content);
            let mut meta = MetaObject::new();
            meta.insert("worklist/code".to_owned(), Value::from(code));
            result.meta = Some(meta);
            result
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_resources_list_changed()
            .enable_completions()
            .build();
        let mut own = Implementation::new(NAME, env!("CARGO_PKG_VERSION"));
        own.title = Some("Worklist".to_owned());
        let mut info = ServerConfig::new(capabilities);
        info.server_info = own;
        // The rules speak of our own tools; other vocabularies explain themselves.
        info.instructions = (self.office.set == Set::Ours).then(|| RULES.to_owned());
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.office.set.tools().iter().map(tool).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.office.set.find(name).map(tool)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let caller = self.caller(&context);
        let word = ask::word(&request);
        let reply = self.called(&request, &context, &caller, word).await?;
        if !ask::is_worth_it(&request, &reply, word) {
            return Ok(result(&reply).into());
        }
        match ask::person(&request, &reply, &context).await {
            ask::Said::Ask(question) => Ok((*question).into()),
            ask::Said::Yes => {
                let reply = self.called(&request, &context, &caller, Word::Person).await?;
                Ok(result(&reply).into())
            }
            ask::Said::No => Ok(result(&reply).into()),
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let office = self.office.clone();
        blocking(move || resources::list(&office, request.and_then(|it| it.cursor).as_deref())).await?
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (office, caller) = (self.office.clone(), self.caller(&context));
        blocking(move || resources::read(&office, &caller, &request.uri)).await?.map(Into::into)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let (office, caller) = (self.office.clone(), self.caller(&context));
        blocking(move || prompts::prompt(&office, &caller, &request)).await?.map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let office = self.office.clone();
        blocking(move || resources::complete(&office, &request)).await?
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        // The client is told next that it is listened for; what happens from then on must reach it.
        let listener = self.follower.follow();
        self.connection.promised.lock().unwrap_or_else(PoisonError::into_inner).push_back(listener);
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let promised = self.connection.promised.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let mut listener = promised.unwrap_or_else(|| self.follower.follow());
        loop {
            let news = tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = self.connection.gone.cancelled() => return Ok(()),
                news = listener.next() => news,
            };
            let Some(news) = news else { return Ok(()) };
            if passed_on(&context, &news).await.is_err() {
                return Ok(());
            }
        }
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.connection.wanted.lock().unwrap_or_else(PoisonError::into_inner).insert(request.uri);
        if !self.connection.told.swap(true, Ordering::Relaxed) {
            self.tell(&context);
        }
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.connection.wanted.lock().unwrap_or_else(PoisonError::into_inner).remove(&request.uri);
        Ok(())
    }

    async fn on_initialized(&self, _: NotificationContext<RoleServer>) {}
}

impl Server {
    /// Who calls, remembered for the end of the connection.
    fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        let caller = Caller::of(context, &self.office);
        let mut known = self.connection.caller.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_none() && caller.lasts {
            *known = Some(Caller { agent: None, ..caller.clone() });
        }
        caller
    }
}

/// Tells a listener what it asked to hear of.
async fn passed_on(context: &SubscriptionContext, news: &News) -> Result<(), ()> {
    let (sink, accepted) = (context.sink(), context.accepted());
    let wanted = accepted.resource_subscriptions.clone().unwrap_or_default();
    for uri in wanted.into_iter().filter(|it| news.concern(it)) {
        sink.notify_resource_updated(uri).await.map_err(|_| ())?;
    }
    if news.members && accepted.resources_list_changed == Some(true) {
        sink.notify_resource_list_changed().await.map_err(|_| ())?;
    }
    Ok(())
}
