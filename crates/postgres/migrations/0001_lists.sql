-- Lists, their tasks, what happened to them, and who is at work.
--
-- Who holds what while it writes, always in this order, so that nobody waits in a circle:
--   1. the row of the list: a share of its key for whoever writes at all, so that a whole list can be kept from everybody,
--      and more for whoever changes what waits for what or makes tasks;
--   2. the rows of the tasks, in the order of their ids;
--   3. the row of the list's head, which numbers the events.

CREATE TABLE worklist.lists (
    list bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE CHECK (name <> ''),
    made timestamptz NOT NULL DEFAULT now(),
    -- The highest id that was ever given.
    highest bigint NOT NULL DEFAULT 0,
    -- Whether what is counted in tasks.waits may have changed.
    recount boolean NOT NULL DEFAULT false,
    -- What the list was told of its past: the number of the last event that is not told any more, plans, a summary.
    told_from bigint NOT NULL DEFAULT 0,
    told_plans text NOT NULL DEFAULT '[]',
    told_cut text
);

CREATE TABLE worklist.heads (
    list bigint PRIMARY KEY REFERENCES worklist.lists ON DELETE CASCADE,
    seq bigint NOT NULL DEFAULT 0
);

CREATE TABLE worklist.tasks (
    list bigint NOT NULL REFERENCES worklist.lists ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    -- Another with every change, and never the same again.
    rev bigint NOT NULL,
    -- The task and its standing, as JSON that is kept to the letter.
    entry text NOT NULL,
    -- What follows is copied from it, to find rows by.
    blocks text[] NOT NULL,
    blocked_by text[] NOT NULL,
    session text COLLATE "C",
    lease bigint,
    since bigint,
    startable boolean NOT NULL,
    urgency smallint NOT NULL,
    waits bigint NOT NULL DEFAULT 0,
    made bigint NOT NULL,
    place bigint NOT NULL,
    PRIMARY KEY (list, id)
) WITH (fillfactor = 80);

CREATE INDEX tasks_startable ON worklist.tasks (list, urgency DESC, waits DESC, made, place, id) WHERE startable;
CREATE INDEX tasks_claimed ON worklist.tasks (list) WHERE session IS NOT NULL;

CREATE TABLE worklist.events (
    list bigint NOT NULL REFERENCES worklist.lists ON DELETE CASCADE,
    seq bigint NOT NULL,
    -- Which command made it, and which of its attempts: whoever lost the answer finds it by that.
    key text COLLATE "C",
    attempt integer NOT NULL DEFAULT 0,
    plan_key text,
    body text NOT NULL,
    PRIMARY KEY (list, seq),
    UNIQUE (list, key)
);

CREATE INDEX events_plans ON worklist.events (list, plan_key, seq) WHERE plan_key IS NOT NULL;

CREATE TABLE worklist.touched (
    list bigint NOT NULL REFERENCES worklist.lists ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (list, id, seq)
);

CREATE TABLE worklist.sessions (
    list bigint NOT NULL REFERENCES worklist.lists ON DELETE CASCADE,
    session text COLLATE "C" NOT NULL,
    agent text NOT NULL,
    -- The last sign of life, in milliseconds of this server's clock; 0 if it said that it is gone.
    seen bigint NOT NULL,
    -- The process that is the session, if one is.
    holder text COLLATE "C",
    PRIMARY KEY (list, session)
) WITH (fillfactor = 70);

-- Which role may do what with which lists; `*` is every one.
CREATE TABLE worklist.access (
    role name NOT NULL,
    list text NOT NULL,
    PRIMARY KEY (role, list)
);

-- Numbers of claims and of revisions: never twice, in any list.
CREATE SEQUENCE worklist.tokens;

-- The only clock that leases go by.
CREATE FUNCTION worklist.now_ms() RETURNS bigint LANGUAGE sql VOLATILE PARALLEL SAFE
    RETURN (extract(epoch FROM clock_timestamp()) * 1000)::bigint;

-- Since when there is a server again that had crashed. It goes with every crash, also with one of a single process of the
-- server, and whoever writes first afterwards notes it: how long a recovery took cannot be asked for otherwise.
CREATE UNLOGGED TABLE worklist.up (one boolean PRIMARY KEY DEFAULT true CHECK (one), since bigint NOT NULL);

CREATE FUNCTION worklist.note_up() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO worklist.up (since) VALUES (worklist.now_ms()) ON CONFLICT DO NOTHING;
$$;

-- Since when there was a server that a sign of life could be given to.
CREATE FUNCTION worklist.started_ms() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
    RETURN greatest((extract(epoch FROM pg_postmaster_start_time()) * 1000)::bigint,
        coalesce((SELECT u.since FROM worklist.up u), worklist.now_ms()));
