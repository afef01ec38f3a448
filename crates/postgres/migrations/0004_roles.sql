-- Who may see which list. The owner of the tables may see all; others what `worklist.access` says.

ALTER TABLE worklist.lists ENABLE ROW LEVEL SECURITY;
ALTER TABLE worklist.heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE worklist.tasks ENABLE ROW LEVEL SECURITY;
ALTER TABLE worklist.events ENABLE ROW LEVEL SECURITY;
ALTER TABLE worklist.touched ENABLE ROW LEVEL SECURITY;
ALTER TABLE worklist.sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE worklist.told ENABLE ROW LEVEL SECURITY;
ALTER TABLE worklist.access ENABLE ROW LEVEL SECURITY;

CREATE POLICY own ON worklist.access USING (role = current_user);
CREATE POLICY own ON worklist.lists USING (EXISTS (
    SELECT FROM worklist.access a WHERE a.role = current_user AND (a.list = '*' OR a.list = lists.name)));
CREATE POLICY own ON worklist.heads USING (list IN (SELECT l.list FROM worklist.lists l));
CREATE POLICY own ON worklist.tasks USING (list IN (SELECT l.list FROM worklist.lists l));
CREATE POLICY own ON worklist.events USING (list IN (SELECT l.list FROM worklist.lists l));
CREATE POLICY own ON worklist.touched USING (list IN (SELECT l.list FROM worklist.lists l));
CREATE POLICY own ON worklist.sessions USING (list IN (SELECT l.list FROM worklist.lists l));
CREATE POLICY own ON worklist.told USING (list IN (SELECT l.list FROM worklist.lists l));

-- Numbers of claims go on from a higher one. Roles may draw numbers and raise them, but never turn them back: claims that were
-- taken away would stand again, in everybody's lists.
CREATE FUNCTION worklist.raise_tokens(beyond bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF beyond > 9007199254740991 THEN
        RAISE numeric_value_out_of_range USING MESSAGE = 'no claim has such a high number';
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('worklist.tokens'));
    -- Others draw numbers meanwhile: it must not be possible that they are past the new one when it is set.
    PERFORM setval('worklist.tokens', beyond + 1000000) FROM worklist.tokens t WHERE t.last_value <= beyond;
END $$;
