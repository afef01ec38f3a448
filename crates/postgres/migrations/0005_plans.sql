-- The same functions in a form that a connection plans once and keeps, without statements that have nothing to do.

-- A function in SQL that asks a table is read and planned anew each time.
CREATE OR REPLACE FUNCTION worklist.started_ms() RETURNS bigint LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    RETURN greatest((extract(epoch FROM pg_postmaster_start_time()) * 1000)::bigint,
        coalesce((SELECT u.since FROM worklist.up u WHERE u.one), worklist.now_ms()));
END $$;

CREATE OR REPLACE FUNCTION worklist.commit(
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
    IF is_same AND absent <> '{}' THEN
        is_same := NOT EXISTS (SELECT FROM worklist.tasks t WHERE t.list = of_list AND t.id = ANY (absent));
    END IF;
    IF NOT is_same THEN
        -- It may have been this very command, sent twice.
        RETURN QUERY SELECT 'known', e.seq, e.attempt, false, 0::bigint, 0::bigint, true FROM worklist.events e
            WHERE e.list = of_list AND e.key = its_key;
        IF NOT FOUND THEN
            RETURN QUERY SELECT 'changed', 0::bigint, 0, false, 0::bigint, 0::bigint, false;
        END IF;
        RETURN;
    END IF;
    IF gone <> '{}' THEN
        DELETE FROM worklist.tasks t WHERE t.list = of_list AND t.id = ANY (gone);
    END IF;
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
    IF freed <> '{}' THEN
        UPDATE worklist.tasks t SET startable = true
            WHERE t.list = of_list AND t.id = ANY (freed) AND NOT t.startable;
    END IF;
    IF bound <> '{}' THEN
        UPDATE worklist.tasks t SET startable = false
            WHERE t.list = of_list AND t.id = ANY (bound) AND t.startable;
    END IF;
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

CREATE OR REPLACE FUNCTION worklist.look_for_next(of_list bigint, many bigint, past bigint, apart boolean)
RETURNS TABLE (kind text, id text, rev bigint, entry text, seen bigint, held boolean, now bigint, started bigint)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    offers text[];
    awaited text[];
    must_recount boolean;
BEGIN
    IF past > 0 OR many > 1 THEN
        -- How much is wanted decides how it is found: planned each time.
        EXECUTE format('SELECT coalesce(array_agg(o.id), ''{}'') FROM (
            SELECT t.id FROM worklist.tasks t WHERE t.list = $1 AND t.startable
            ORDER BY t.urgency DESC, t.waits DESC, t.made, t.place, t.id OFFSET %s LIMIT %s %s) o',
            past, many, CASE WHEN apart THEN 'FOR UPDATE SKIP LOCKED' ELSE '' END) INTO offers USING of_list;
    ELSIF apart THEN
        SELECT coalesce(array_agg(o.id), '{}') INTO offers FROM (
            SELECT t.id FROM worklist.tasks t WHERE t.list = of_list AND t.startable
            ORDER BY t.urgency DESC, t.waits DESC, t.made, t.place, t.id
            LIMIT 1 FOR UPDATE SKIP LOCKED) o;
    ELSE
        SELECT coalesce(array_agg(o.id), '{}') INTO offers FROM (
            SELECT t.id FROM worklist.tasks t WHERE t.list = of_list AND t.startable
            ORDER BY t.urgency DESC, t.waits DESC, t.made, t.place, t.id LIMIT 1) o;
    END IF;
    SELECT coalesce(array_agg(other), '{}') INTO awaited FROM worklist.tasks t, LATERAL unnest(t.blocked_by) AS other
        WHERE t.list = of_list AND t.id = ANY (offers);
    SELECT l.recount INTO must_recount FROM worklist.lists l WHERE l.list = of_list;
    RETURN QUERY
        SELECT 'offered', t.id, t.rev, t.entry, NULL::bigint, false, worklist.now_ms(), worklist.started_ms()
            FROM unnest(offers) WITH ORDINALITY AS o (id, n) JOIN worklist.tasks t ON t.list = of_list AND t.id = o.id
            ORDER BY o.n;
    IF past = 0 THEN
        RETURN QUERY
            SELECT 'silent', t.id, t.rev, t.entry, s.seen, s.holder IS NOT NULL, worklist.now_ms(), worklist.started_ms()
            FROM worklist.tasks t LEFT JOIN worklist.sessions s ON s.list = t.list AND s.session = t.session
            WHERE t.list = of_list AND t.session IS NOT NULL AND worklist.now_ms() - coalesce(s.seen, t.since, 0)
                >= CASE WHEN s.holder IS NULL THEN t.lease ELSE 60000 END;
    END IF;
    IF awaited <> '{}' THEN
        RETURN QUERY
            SELECT 'near', t.id, t.rev, t.entry, NULL::bigint, false, worklist.now_ms(), worklist.started_ms()
            FROM worklist.tasks t WHERE t.list = of_list AND t.id = ANY (awaited);
    END IF;
    RETURN QUERY SELECT CASE WHEN must_recount THEN 'recount' ELSE 'counted' END, ''::text, nextval('worklist.tokens'),
        ''::text, NULL::bigint, false, worklist.now_ms(), worklist.started_ms();
END $$;

CREATE OR REPLACE FUNCTION worklist.sign_of_life(of_list bigint, its_session text, its_agent text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    is_held boolean;
BEGIN
    IF NOT EXISTS (SELECT FROM worklist.up u WHERE u.one) THEN
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
