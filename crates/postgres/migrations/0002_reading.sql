-- What a decision needs to see, in one statement: one moment of the list.

-- Some tasks; with `near` also what they wait for; with `far` also what waits for them, and what else that waits for.
CREATE FUNCTION worklist.look(of_list bigint, ids text[], near boolean, far boolean)
RETURNS TABLE (id text, rev bigint, entry text, seen bigint, held boolean, now bigint, started bigint)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
#variable_conflict use_column
DECLARE
    wanted text[] := ids;
BEGIN
    IF near THEN
        SELECT wanted || coalesce(array_agg(other), '{}') INTO wanted FROM worklist.tasks t,
            LATERAL unnest(CASE WHEN far THEN t.blocked_by || t.blocks ELSE t.blocked_by END) AS other
            WHERE t.list = of_list AND t.id = ANY (ids);
    END IF;
    IF far THEN
        SELECT wanted || coalesce(array_agg(other), '{}') INTO wanted FROM worklist.tasks t,
            LATERAL unnest(t.blocked_by) AS other
            WHERE t.list = of_list AND t.id = ANY (wanted) AND NOT t.id = ANY (ids);
    END IF;
    RETURN QUERY
        SELECT t.id, t.rev, t.entry, s.seen, s.holder IS NOT NULL, worklist.now_ms(), worklist.started_ms()
        FROM worklist.tasks t LEFT JOIN worklist.sessions s ON s.list = t.list AND s.session = t.session
        WHERE t.list = of_list AND t.id = ANY (wanted);
END $$;

-- Every task, in the order of the list.
CREATE FUNCTION worklist.look_at_all(of_list bigint)
RETURNS TABLE (id text, rev bigint, entry text, seen bigint, held boolean, now bigint, started bigint)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT t.id, t.rev, t.entry, s.seen, s.holder IS NOT NULL, worklist.now_ms(), worklist.started_ms()
        FROM worklist.tasks t LEFT JOIN worklist.sessions s ON s.list = t.list AND s.session = t.session
        WHERE t.list = of_list ORDER BY t.place, t.id;
END $$;

-- What choosing a task needs, in one statement. Of tasks that may be started the best ones are offered. With them comes what
-- they wait for, and at least every task whose claimant was silent for longer than it may be. All of it is a proposal: what
-- is started and who is gone is decided elsewhere.
--
-- Where many choose at once, those that somebody is busy with are passed over, and nobody else is offered the same until the
-- end of the transaction.
CREATE FUNCTION worklist.look_for_next(of_list bigint, many bigint, past bigint, apart boolean)
RETURNS TABLE (kind text, id text, rev bigint, entry text, seen bigint, held boolean, now bigint, started bigint)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    offers text[];
    awaited text[];
    must_recount boolean;
BEGIN
    IF apart THEN
        SELECT coalesce(array_agg(o.id), '{}') INTO offers FROM (
            SELECT t.id FROM worklist.tasks t WHERE t.list = of_list AND t.startable
            ORDER BY t.urgency DESC, t.waits DESC, t.made, t.place, t.id
            OFFSET past LIMIT many FOR UPDATE SKIP LOCKED) o;
    ELSE
        SELECT coalesce(array_agg(o.id), '{}') INTO offers FROM (
            SELECT t.id FROM worklist.tasks t WHERE t.list = of_list AND t.startable
            ORDER BY t.urgency DESC, t.waits DESC, t.made, t.place, t.id OFFSET past LIMIT many) o;
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

-- Whether a session gave a sign of life, and when.
CREATE FUNCTION worklist.look_at_session(of_list bigint, its_session text)
RETURNS TABLE (seen bigint, held boolean, now bigint, started bigint) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT s.seen, s.holder IS NOT NULL, worklist.now_ms(), worklist.started_ms()
        FROM (SELECT) AS nothing LEFT JOIN worklist.sessions s ON s.list = of_list AND s.session = its_session;
END $$;
