-- The same with fewer statements, and with nothing in everybody's way that need not be.
--
-- Who holds what while it writes, always in this order, so that nobody waits in a circle:
--   1. the row of the list, for whoever changes what waits for what or makes tasks;
--   2. the rows of the tasks, in the order of their ids;
--   3. the row of the list's head, which numbers the events.
-- Whoever takes and finishes tasks does not come by the row of the list any more: a share of it, held by many at once, was
-- most of what they wrote. Who keeps a whole list from everybody takes its row and those of all its tasks.

-- These referred to the list, and so took a share of its row with each of theirs. The row of the head does it for them: without
-- it there is no number for an event. What goes with a list still goes with it, once everybody has ended who works on it.
ALTER TABLE worklist.events DROP CONSTRAINT events_list_fkey;
ALTER TABLE worklist.touched DROP CONSTRAINT touched_list_fkey;

CREATE FUNCTION worklist.forget() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM worklist.lists l WHERE l.list = old.list FOR UPDATE;
    PERFORM FROM worklist.tasks t WHERE t.list = old.list ORDER BY t.place, t.id FOR UPDATE;
    DELETE FROM worklist.events e WHERE e.list = old.list;
    DELETE FROM worklist.touched t WHERE t.list = old.list;
    RETURN old;
END $$;

CREATE TRIGGER forget BEFORE DELETE ON worklist.lists FOR EACH ROW EXECUTE FUNCTION worklist.forget();

-- A session gave a sign of life at this moment. If a process is the session and lives, it stays so; whether one is.
CREATE FUNCTION worklist.note_life(of_list bigint, its_session text, its_agent text, this_moment bigint, up_since bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    is_held boolean;
BEGIN
    UPDATE worklist.sessions s SET agent = its_agent, seen = this_moment,
            holder = CASE WHEN this_moment - greatest(s.seen, up_since * sign(s.seen)) < 60000 THEN s.holder END
        WHERE s.list = of_list AND s.session = its_session RETURNING s.holder IS NOT NULL INTO is_held;
    IF NOT FOUND AND its_session <> '' THEN
        INSERT INTO worklist.sessions AS s (list, session, agent, seen) VALUES (of_list, its_session, its_agent, this_moment)
            ON CONFLICT (list, session) DO UPDATE SET agent = excluded.agent, seen = excluded.seen
            RETURNING s.holder IS NOT NULL INTO is_held;
    END IF;
    RETURN coalesce(is_held, false);
END $$;

CREATE OR REPLACE FUNCTION worklist.sign_of_life(of_list bigint, its_session text, its_agent text)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM worklist.up u WHERE u.one) THEN
        PERFORM worklist.note_up();
    END IF;
    RETURN worklist.note_life(of_list, its_session, its_agent, worklist.now_ms(), worklist.started_ms());
END $$;

DROP FUNCTION worklist.commit;
CREATE FUNCTION worklist.commit(
    of_list bigint,
    -- The command, and its attempt: one whose answer was lost is sent again.
    its_key text, its_attempt integer, is_again boolean,
    -- What was looked at, in the order of the ids, and what was not there. What is written is locked for it.
    seen_ids text[], seen_revs bigint[], are_written boolean[], absent text[],
    -- What is written.
    tasks jsonb, gone text[], freed text[], bound text[],
    body text, its_plan text, touched text[],
    -- The highest id that was given, and whether the graph is another now.
    given bigint, reshaped boolean,
    its_session text, its_agent text,
    OUT outcome text, OUT number bigint, OUT attempt integer, OUT held boolean, OUT now bigint, OUT started bigint,
    OUT is_due boolean
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    found_rev bigint;
    is_same boolean := true;
    row jsonb;
    told_at bigint;
BEGIN
    IF is_again THEN
        SELECT 'known', e.seq, e.attempt INTO outcome, number, attempt FROM worklist.events e
            WHERE e.list = of_list AND e.key = its_key;
        IF FOUND THEN RETURN; END IF;
    END IF;
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
    IF is_same AND absent <> '{}' THEN
        is_same := NOT EXISTS (SELECT FROM worklist.tasks t WHERE t.list = of_list AND t.id = ANY (absent));
    END IF;
    IF NOT is_same THEN
        -- It may have been this very command, sent twice.
        SELECT 'known', e.seq, e.attempt INTO outcome, number, attempt FROM worklist.events e
            WHERE e.list = of_list AND e.key = its_key;
        IF NOT FOUND THEN
            outcome := 'changed';
            number := 0;
        END IF;
        RETURN;
    END IF;
    IF gone <> '{}' THEN
        DELETE FROM worklist.tasks t WHERE t.list = of_list AND t.id = ANY (gone);
    END IF;
    IF reshaped THEN
        INSERT INTO worklist.tasks AS t
            (list, id, rev, entry, blocks, blocked_by, session, lease, since, startable, urgency, made, place)
            SELECT of_list, n.id, nextval('worklist.tokens'), n.entry, n.blocks, n.blocked_by, n.session, n.lease, n.since,
                n.startable, n.urgency, n.made, n.place
            FROM jsonb_to_recordset(tasks) AS n (id text, entry text, blocks text[], blocked_by text[], session text,
                lease bigint, since bigint, startable boolean, urgency smallint, made bigint, place bigint)
            ON CONFLICT (list, id) DO UPDATE SET rev = excluded.rev, entry = excluded.entry, blocks = excluded.blocks,
                blocked_by = excluded.blocked_by, session = excluded.session, lease = excluded.lease,
                since = excluded.since, startable = excluded.startable, urgency = excluded.urgency,
                made = excluded.made, place = excluded.place;
        UPDATE worklist.lists l SET highest = greatest(l.highest, given), recount = true WHERE l.list = of_list;
    ELSE
        -- All of them are there and keep their edges.
        FOR n IN 0 .. jsonb_array_length(tasks) - 1 LOOP
            row := tasks -> n;
            UPDATE worklist.tasks t SET rev = nextval('worklist.tokens'), entry = row ->> 'entry', session = row ->> 'session',
                    lease = (row ->> 'lease')::bigint, since = (row ->> 'since')::bigint,
                    startable = (row ->> 'startable')::boolean, urgency = (row ->> 'urgency')::smallint,
                    made = (row ->> 'made')::bigint, place = (row ->> 'place')::bigint
                WHERE t.list = of_list AND t.id = row ->> 'id';
        END LOOP;
    END IF;
    IF freed <> '{}' THEN
        UPDATE worklist.tasks t SET startable = true
            WHERE t.list = of_list AND t.id = ANY (freed) AND NOT t.startable;
    END IF;
    IF bound <> '{}' THEN
        UPDATE worklist.tasks t SET startable = false
            WHERE t.list = of_list AND t.id = ANY (bound) AND t.startable;
    END IF;
    now := worklist.now_ms();
    SELECT u.since, t.at INTO started, told_at
        FROM worklist.up u LEFT JOIN worklist.told t ON t.list = of_list WHERE u.one;
    IF NOT FOUND THEN
        PERFORM worklist.note_up();
    END IF;
    started := greatest((extract(epoch FROM pg_postmaster_start_time()) * 1000)::bigint, coalesce(started, now));
    is_due := told_at IS NULL OR now - told_at >= 100;
    held := worklist.note_life(of_list, its_session, its_agent, now, started);
    -- Last of all, because everybody must come by here: from here on it takes no longer than a flush.
    UPDATE worklist.heads h SET seq = h.seq + 1 WHERE h.list = of_list RETURNING h.seq INTO number;
    INSERT INTO worklist.events (list, seq, key, attempt, plan_key, body)
        VALUES (of_list, number, its_key, its_attempt, its_plan, body);
    INSERT INTO worklist.touched (list, id, seq) SELECT of_list, one, number FROM unnest(touched) AS one;
    outcome := 'done';
    attempt := its_attempt;
END $$;

CREATE OR REPLACE FUNCTION worklist.look_for_next(of_list bigint, many bigint, past bigint, apart boolean)
RETURNS TABLE (kind text, id text, rev bigint, entry text, seen bigint, held boolean, now bigint, started bigint)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    awaited text[] := '{}';
    its_own text[];
    must_recount boolean;
BEGIN
    now := worklist.now_ms();
    started := worklist.started_ms();
    kind := 'offered';
    held := false;
    IF past > 0 OR many > 1 THEN
        -- How much is wanted decides how it is found: planned each time.
        FOR id, rev, entry, its_own IN EXECUTE format('SELECT t.id, t.rev, t.entry, t.blocked_by FROM worklist.tasks t
            WHERE t.list = $1 AND t.startable ORDER BY t.urgency DESC, t.waits DESC, t.made, t.place, t.id
            OFFSET %s LIMIT %s %s', past, many, CASE WHEN apart THEN 'FOR UPDATE SKIP LOCKED' ELSE '' END) USING of_list
        LOOP
            awaited := awaited || its_own;
            RETURN NEXT;
        END LOOP;
    ELSE
        IF apart THEN
            SELECT t.id, t.rev, t.entry, t.blocked_by INTO id, rev, entry, its_own FROM worklist.tasks t
                WHERE t.list = of_list AND t.startable
                ORDER BY t.urgency DESC, t.waits DESC, t.made, t.place, t.id LIMIT 1 FOR UPDATE SKIP LOCKED;
        ELSE
            SELECT t.id, t.rev, t.entry, t.blocked_by INTO id, rev, entry, its_own FROM worklist.tasks t
                WHERE t.list = of_list AND t.startable
                ORDER BY t.urgency DESC, t.waits DESC, t.made, t.place, t.id LIMIT 1;
        END IF;
        IF FOUND THEN
            awaited := its_own;
            RETURN NEXT;
        END IF;
    END IF;
    IF past = 0 THEN
        RETURN QUERY
            SELECT 'silent', t.id, t.rev, t.entry, s.seen, s.holder IS NOT NULL, now, started
            FROM worklist.tasks t LEFT JOIN worklist.sessions s ON s.list = t.list AND s.session = t.session
            WHERE t.list = of_list AND t.session IS NOT NULL AND now - coalesce(s.seen, t.since, 0)
                >= CASE WHEN s.holder IS NULL THEN t.lease ELSE 60000 END;
    END IF;
    IF awaited <> '{}' THEN
        RETURN QUERY
            SELECT 'near', t.id, t.rev, t.entry, NULL::bigint, false, now, started
            FROM worklist.tasks t WHERE t.list = of_list AND t.id = ANY (awaited);
    END IF;
    SELECT l.recount INTO must_recount FROM worklist.lists l WHERE l.list = of_list;
    kind := CASE WHEN must_recount THEN 'recount' ELSE 'counted' END;
    id := '';
    rev := nextval('worklist.tokens');
    entry := '';
    RETURN NEXT;
END $$;

CREATE OR REPLACE FUNCTION worklist.look(of_list bigint, ids text[], near boolean, far boolean)
RETURNS TABLE (id text, rev bigint, entry text, seen bigint, held boolean, now bigint, started bigint)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
#variable_conflict use_column
DECLARE
    close text[];
    beyond text[];
BEGIN
    now := worklist.now_ms();
    started := worklist.started_ms();
    IF near THEN
        SELECT array_agg(other) INTO close FROM worklist.tasks t,
            LATERAL unnest(CASE WHEN far THEN t.blocked_by || t.blocks ELSE t.blocked_by END) AS other
            WHERE t.list = of_list AND t.id = ANY (ids);
    END IF;
    IF far AND close IS NOT NULL THEN
        SELECT array_agg(other) INTO beyond FROM worklist.tasks t, LATERAL unnest(t.blocked_by) AS other
            WHERE t.list = of_list AND t.id = ANY (close) AND NOT t.id = ANY (ids);
    END IF;
    RETURN QUERY
        SELECT t.id, t.rev, t.entry, s.seen, s.holder IS NOT NULL, now, started
        FROM worklist.tasks t LEFT JOIN worklist.sessions s ON s.list = t.list AND s.session = t.session
        WHERE t.list = of_list AND t.id = ANY (ids || close || beyond);
END $$;

CREATE OR REPLACE FUNCTION worklist.look_at_all(of_list bigint)
RETURNS TABLE (id text, rev bigint, entry text, seen bigint, held boolean, now bigint, started bigint)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
#variable_conflict use_column
BEGIN
    now := worklist.now_ms();
    started := worklist.started_ms();
    RETURN QUERY
        SELECT t.id, t.rev, t.entry, s.seen, s.holder IS NOT NULL, now, started
        FROM worklist.tasks t LEFT JOIN worklist.sessions s ON s.list = t.list AND s.session = t.session
        WHERE t.list = of_list ORDER BY t.place, t.id;
END $$;
