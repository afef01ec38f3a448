"""Drives `wl mcp` with the official Python library, as a client would: client.py WL (life|two) (stdio|http) ERA.

Runs in a folder without a list. Every step that does not come out as it must ends it with an error.
"""

import atexit
import json
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import warnings
from contextlib import asynccontextmanager

import anyio
import httpx2
from mcp import Client, MCPDeprecationWarning, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

WL, KIND, TRANSPORT, ERA = sys.argv[1:]
# Long enough for a loaded machine; nothing below ever waits for it if all is well.
PATIENCE = 60
# The older era has what the newer one gave up.
warnings.simplefilter("ignore", MCPDeprecationWarning)
TOKENS = {"ann": "a" * 40, "bob": "b" * 40}


def wl(*arguments, code=0):
    """Runs the program as a person would; what it said as JSON."""
    run = subprocess.run([WL, *arguments, "--json"], capture_output=True, text=True)
    assert run.returncode == code, f"wl {arguments}: {run.returncode}\n{run.stdout}{run.stderr}"
    return json.loads(run.stdout)


def kill(process):
    """Kills a process, and waits until it is dead."""
    handle = os.pidfd_open(process)
    signal.pidfd_send_signal(handle, signal.SIGKILL)
    select.select([handle], [], [], PATIENCE)
    os.close(handle)


class Stdio:
    """A server of its own for each client, which knows its process."""

    died = False

    def __init__(self):
        self.note = pathlib.Path("server.pid")

    @asynccontextmanager
    async def client(self, name="ann", **options):
        start = f"echo $$ > {self.note.absolute()}; exec {WL} mcp"
        server = StdioServerParameters(command="/bin/sh", args=["-c", start], cwd=os.getcwd())
        async with Client(server, mode=ERA, read_timeout_seconds=PATIENCE, **options) as client:
            yield client

    def kill(self):
        kill(int(self.note.read_text()))

    def start(self):
        pass

    def stop(self):
        pass


class Http:
    """One server for all clients, each with a token of its own."""

    died = False

    def start(self):
        tokens = pathlib.Path("tokens")
        tokens.write_text("".join(f"{name} {token}\n" for name, token in TOKENS.items()))
        command = [WL, "mcp", "--http", "127.0.0.1:0", "--token-file", str(tokens)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        # Whatever goes wrong here, the server does not stay behind.
        atexit.register(self.process.kill)
        self.url = re.search(r"http://\S+/mcp", self.process.stderr.readline())[0]

    @asynccontextmanager
    async def client(self, name="ann", **options):
        headers = {"Authorization": f"Bearer {TOKENS[name]}"}
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http:
            transport = streamable_http_client(self.url, http_client=http)
            async with Client(transport, mode=ERA, read_timeout_seconds=PATIENCE, **options) as client:
                yield client

    def kill(self):
        kill(self.process.pid)

    def stop(self):
        self.process.kill()
        self.process.wait()


def text(result):
    assert not result.is_error, result
    return result.content[0].text


async def call(client, tool, **arguments):
    return text(await client.call_tool(tool, arguments))


def taken(answer):
    """The task that an answer is about."""
    return re.search(r"#(\d+)", answer)[1]


async def plans_and_looks(client):
    tools = {tool.name for tool in (await client.list_tools()).tools}
    assert {"TaskPlan", "TaskNext", "TaskUpdate", "TaskList"} <= tools, tools
    plan = [
        {"name": "keel", "subject": "Lay the keel", "priority": "high"},
        {"name": "hull", "subject": "Build the hull", "after": ["keel"]},
        {"subject": "Launch", "after": ["hull"]},
    ]
    await call(client, "TaskPlan", tasks=plan)
    resources = {str(it.uri) for it in (await client.list_resources()).resources}
    assert {"worklist://list", "worklist://graph", "worklist://task/1"} <= resources, resources
    task = await client.read_resource("worklist://task/1")
    assert "Lay the keel" in task.contents[0].text, task
    prompts = {it.name for it in (await client.list_prompts()).prompts}
    assert prompts == {"plan", "next", "status"}, prompts
    prompt = await client.get_prompt("plan", {"goal": "a ship"})
    assert "a ship" in prompt.messages[0].content.text, prompt


class Heard:
    """Whether the list was said to have changed, in either era."""

    def __init__(self):
        self.changed = anyio.Event()

    async def __call__(self, message):
        if getattr(message, "method", None) == "notifications/resources/updated":
            assert str(message.params.uri) == "worklist://list", message
            self.changed.set()

    @asynccontextmanager
    async def listening(self, client):
        if ERA == "legacy":
            await client.subscribe_resource("worklist://list")
            yield
            await client.unsubscribe_resource("worklist://list")
            return
        async with client.listen(resource_subscriptions=["worklist://list"]) as events:
            async with anyio.create_task_group() as group:
                group.start_soon(self.follow, events)
                yield
                group.cancel_scope.cancel()

    async def follow(self, events):
        async for event in events:
            assert str(event.uri) == "worklist://list", event
            self.changed.set()


async def hears_of_a_change(client, heard):
    async with heard.listening(client):
        await anyio.to_thread.run_sync(wl, "add", "Seen from outside", "--priority", "low")
        with anyio.fail_after(PATIENCE):
            await heard.changed.wait()
    listed = await client.read_resource("worklist://list")
    assert "Seen from outside" in listed.contents[0].text, listed


async def dies_with_a_claim(server, client):
    """Killed while it holds a claim and while a call waits: the claim is free at once."""
    held = taken(await call(client, "TaskNext"))
    assert held == "1", held
    refused = wl("claim", held, "--as", "other", code=3)["error"]
    assert refused["code"] == "already_claimed", refused
    async with anyio.create_task_group() as group:
        # Nothing has this tag: it waits.
        group.start_soon(client.call_tool, "TaskNext", {"tag": "none such", "wait": 50})
        # An answer after it was sent: the waiting call has reached the server, too.
        await call(client, "TaskList")
        # Nothing is awaited from here on: the client would find out, and end all this.
        server.kill()
        claimed = wl("claim", held, "--as", "other")
        assert claimed["task"]["owner"] == "other", claimed
        wl("done", held, "--as", "other")
        server.died = True


async def life():
    server = Stdio() if TRANSPORT == "stdio" else Http()
    server.start()
    heard = Heard()
    try:
        async with server.client(message_handler=heard) as client:
            await plans_and_looks(client)
            await hears_of_a_change(client, heard)
            await dies_with_a_claim(server, client)
    except* (MCPError, anyio.BrokenResourceError, anyio.ClosedResourceError, httpx2.TransportError):
        # Whether and how a client learns that nobody is there any more differs by transport and era.
        pass
    assert server.died, "the connection broke before its time"
    server.stop()
    server.start()
    async with server.client() as client:
        assert "Build the hull" in await call(client, "TaskList")
        held = taken(await call(client, "TaskNext"))
        assert held == "2", held
        done = await call(client, "TaskUpdate", taskId=int(held), status="completed")
        assert "#3" in done, done
    server.stop()
    assert wl("show", "2")["task"]["status"] == "completed"
    print(f"{TRANSPORT}, {ERA}: planned, looked, heard, died, came back, went on")


async def creates(client, name, count):
    """Many calls at once: each gets the reply to its own."""

    async def one(number):
        subject = f"{name} {number} of many"
        made = taken(await call(client, "TaskCreate", subject=subject))
        shown = await call(client, "TaskGet", taskId=made)
        assert subject in shown, (subject, shown)

    async with anyio.create_task_group() as group:
        for number in range(count):
            group.start_soon(one, number)


async def two():
    server = Http()
    server.start()
    count = 25
    async with server.client("ann") as ann, server.client("bob") as bob:
        async with anyio.create_task_group() as group:
            group.start_soon(creates, ann, "ann", count)
            group.start_soon(creates, bob, "bob", count)
        first, second = taken(await call(ann, "TaskNext")), taken(await call(bob, "TaskNext"))
        assert first != second, first
        owners = [wl("show", it)["task"]["owner"] for it in (first, second)]
        assert owners == ["ann", "bob"], owners
        sessions = {wl("show", it)["task"]["claim"]["session"] for it in (first, second)}
        assert len(sessions) == 2, sessions
        refused = await bob.call_tool("TaskUpdate", {"taskId": first, "status": "completed"})
        assert refused.is_error, refused
        await call(bob, "TaskUpdate", taskId=second, status="completed")
        await call(ann, "TaskUpdate", taskId=first, status="completed")
        if ERA == "legacy":
            await sessions_of_one_token(server, ann)
        else:
            await listeners_leave_nothing_behind(server, ann)
    server.stop()
    assert wl("list", "--all")["total"] == 2 * count
    print(f"{ERA}: two clients, {2 * count} tasks at once, each with its own replies and claims")


async def sessions_of_one_token(server, ann):
    """In the older era a session is a claimant, even with the same token."""
    async with server.client("ann") as other:
        held = taken(await call(ann, "TaskNext"))
        refused = await other.call_tool("TaskUpdate", {"taskId": held, "status": "completed"})
        assert refused.is_error, refused
        assert taken(await call(other, "TaskNext")) != held


async def listeners_leave_nothing_behind(server, client):
    """However many listened and went, one thread at most follows the list."""
    for _ in range(20):
        async with client.listen(resource_subscriptions=["worklist://list"]):
            pass
    threads = pathlib.Path(f"/proc/{server.process.pid}/task").glob("*/comm")
    own = [name for name in (it.read_text().strip() for it in threads) if name == "wl"]
    assert len(own) <= 2, own


anyio.run({"life": life, "two": two}[KIND])
