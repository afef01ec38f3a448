-- The only way to write: all of a decision, if nothing that it was made on has changed since.

CREATE FUNCTION worklist.commit(
    of_list bigint,
    -- The command, and its attempt: an attempt whose answer was lost is sent again.
    its_key text, its_attempt integer,
    -- What was looked at, in the order of the ids, and what was not there. What is written is locked for it.
    seen_ids text[], seen_revs bigint[], are_written boolean[], absent text[],
    -- What is written.
    tasks jsonb, gone text[], freed text[], bound text[],
    body text, its_plan text, touched text[],
    -- The highest id that was given, and whether the graph is another now.
    given bigint, reshaped boolean,
    its_session text, its_agent text
) RETURNS TABLE (outcome text, number bigint, attempt integer, held boolean, now bigint, started bigint, is_due boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    found_rev bigint;
    is_same boolean := true;
    is_held boolean;
    this_moment bigint;
    next_seq bigint;
BEGIN
    RETURN QUERY SELECT 'known', e.seq, e.attempt, false, 0::bigint, 0::bigint, true FROM worklist.events e WHERE e.list = of_list AND e.key = its_key;
    IF FOUND THEN RETURN; END IF;
    -- The tables refer to this row and would ask for it later on, when others may wait for what is held by then.
    PERFORM FROM worklist.lists l WHERE l.list = of_list FOR KEY SHARE;
    FOR n IN 1 .. coalesce(array_length(seen_ids, 1), 0) LOOP
        IF are_written[n] THEN
            SELECT t.rev INTO found_rev FROM worklist.tasks t
                WHERE t.list = of_list AND t.id = seen_ids[n] FOR UPDATE;
        ELSE
            SELECT t.rev INTO found_rev FROM worklist.tasks t
                WHERE t.list = of_list AND t.id = seen_ids[n] FOR SHARE;
        END IF;
        is_same := is_same AND found_rev IS NOT DISTINCT FROM seen_revs[n];
        EXIT WHEN NOT is_same;
    END LOOP;
    IF NOT is_same OR EXISTS (SELECT FROM worklist.tasks t WHERE t.list = of_list AND t.id = ANY (absent)) THEN
        -- It may have been this very command, sent twice.
        RETURN QUERY SELECT 'known', e.seq, e.attempt, false, 0::bigint, 0::bigint, true FROM worklist.events e
            WHERE e.list = of_list AND e.key = its_key;
        IF NOT FOUND THEN
            RETURN QUERY SELECT 'changed', 0::bigint, 0, false, 0::bigint, 0::bigint, false;
        END IF;
        RETURN;
    END IF;
    DELETE FROM worklist.tasks t WHERE t.list = of_list AND t.id = ANY (gone);
    INSERT INTO worklist.tasks AS t
        (list, id, rev, entry, blocks, blocked_by, session, lease, since, startable, urgency, made, place)
        SELECT of_list, n.id, nextval('worklist.tokens'), n.entry, n.blocks, n.blocked_by, n.session, n.lease, n.since, n.startable,
            n.urgency, n.made, n.place
        FROM jsonb_to_recordset(tasks) AS n (id text, entry text, blocks text[], blocked_by text[], session text,
            lease bigint, since bigint, startable boolean, urgency smallint, made bigint, place bigint)
        ON CONFLICT (list, id) DO UPDATE SET rev = excluded.rev, entry = excluded.entry, blocks = excluded.blocks,
            blocked_by = excluded.blocked_by, session = excluded.session, lease = excluded.lease,
            since = excluded.since, startable = excluded.startable, urgency = excluded.urgency,
            made = excluded.made, place = excluded.place;
    UPDATE worklist.tasks t SET startable = true
        WHERE t.list = of_list AND t.id = ANY (freed) AND NOT t.startable;
    UPDATE worklist.tasks t SET startable = false
        WHERE t.list = of_list AND t.id = ANY (bound) AND t.startable;
    IF reshaped THEN
        UPDATE worklist.lists l SET highest = greatest(l.highest, given), recount = true WHERE l.list = of_list;
    END IF;
    is_held := worklist.sign_of_life(of_list, its_session, its_agent);
    -- Last of all, because everybody must come by here: from here on it takes no longer than a flush.
    UPDATE worklist.heads h SET seq = h.seq + 1 WHERE h.list = of_list RETURNING h.seq INTO next_seq;
    INSERT INTO worklist.events (list, seq, key, attempt, plan_key, body)
        VALUES (of_list, next_seq, its_key, its_attempt, its_plan, body);
    INSERT INTO worklist.touched (list, id, seq) SELECT of_list, one, next_seq FROM unnest(touched) AS one;
    this_moment := worklist.now_ms();
    RETURN QUERY SELECT 'done', next_seq, its_attempt, is_held, this_moment, worklist.started_ms(),
        NOT EXISTS (SELECT FROM worklist.told t WHERE t.list = of_list AND this_moment - t.at < 100);
END $$;

-- A command of a session: if a process is the session and lives, it stays so; whether one is.
CREATE FUNCTION worklist.sign_of_life(of_list bigint, its_session text, its_agent text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    is_held boolean;
BEGIN
    IF NOT EXISTS (SELECT FROM worklist.up) THEN
        PERFORM worklist.note_up();
    END IF;
    INSERT INTO worklist.sessions AS s (list, session, agent, seen)
        SELECT of_list, its_session, its_agent, worklist.now_ms() WHERE its_session <> ''
        ON CONFLICT (list, session) DO UPDATE SET agent = excluded.agent, seen = excluded.seen,
            holder = CASE WHEN excluded.seen - s.seen < 60000
                OR excluded.seen - greatest(s.seen, worklist.started_ms() * sign(s.seen)) < 60000 THEN s.holder END
        RETURNING s.holder IS NOT NULL INTO is_held;
    RETURN coalesce(is_held, false);
END $$;

-- The same by itself. That it may be lost with the server is allowed for: then nobody is thought dead for a while.
CREATE FUNCTION worklist.renew(of_list bigint, its_session text, its_agent text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM worklist.sign_of_life(of_list, its_session, its_agent);
END $$;

-- Makes a process the session, if no other living one is.
CREATE FUNCTION worklist.hold(of_list bigint, its_session text, its_agent text, its_holder text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    is_held boolean;
BEGIN
    INSERT INTO worklist.sessions AS s (list, session, agent, seen, holder)
        VALUES (of_list, its_session, its_agent, worklist.now_ms(), its_holder)
        ON CONFLICT (list, session) DO UPDATE SET agent = excluded.agent, seen = excluded.seen, holder = excluded.holder
            WHERE s.holder IS NULL OR excluded.seen - greatest(s.seen, worklist.started_ms() * sign(s.seen)) >= 60000
        RETURNING true INTO is_held;
    RETURN coalesce(is_held, false);
END $$;

-- Signs of life of many processes at once: those that still are what they were.
CREATE FUNCTION worklist.beat(of_list bigint, holders text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM worklist.note_up() WHERE NOT EXISTS (SELECT FROM worklist.up);
    RETURN QUERY UPDATE worklist.sessions s SET seen = worklist.now_ms()
        WHERE s.list = of_list AND s.holder = ANY (holders) RETURNING s.holder;
END $$;

-- A process that goes: what its session held is free at once.
CREATE FUNCTION worklist.let_go(of_list bigint, its_holder text) RETURNS void LANGUAGE sql AS $$
    UPDATE worklist.sessions s SET seen = 0 WHERE s.list = of_list AND s.holder = its_holder;
$$;

-- Tasks of a list that is laid down at once.
CREATE FUNCTION worklist.lay_tasks(of_list bigint, tasks jsonb) RETURNS void LANGUAGE sql AS $$
    INSERT INTO worklist.tasks
        (list, id, rev, entry, blocks, blocked_by, session, lease, since, startable, urgency, made, place)
        SELECT of_list, n.id, nextval('worklist.tokens'), n.entry, n.blocks, n.blocked_by, n.session, n.lease, n.since,
            n.startable, n.urgency, n.made, n.place
        FROM jsonb_to_recordset(tasks) AS n (id text, entry text, blocks text[], blocked_by text[], session text,
            lease bigint, since bigint, startable boolean, urgency smallint, made bigint, place bigint);
$$;

-- When the listeners of a list were last told. It may be lost: then they are told once more.
CREATE UNLOGGED TABLE worklist.told (list bigint PRIMARY KEY, at bigint NOT NULL);

-- Tells them, unless somebody did in the last 100 ms: then they look once more by themselves.
CREATE FUNCTION worklist.tell(of_list bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    is_due boolean;
BEGIN
    SELECT worklist.now_ms() - t.at >= 100 INTO is_due FROM worklist.told t WHERE t.list = of_list;
    IF is_due IS FALSE THEN RETURN; END IF;
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO worklist.told AS t (list, at) VALUES (of_list, worklist.now_ms())
        ON CONFLICT (list) DO UPDATE SET at = excluded.at;
    PERFORM pg_notify('worklist_' || of_list, '');
END $$;
