-- Who may see which list. The owner of the tables may see all; others what `worklist.access` says.

ALTER TABLE worklist.lists ENABLE ROW LEVEL SECURITY;
ALTER TABLE worklist.heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE worklist.tasks ENABLE ROW LEVEL SECURITY;
ALTER TABLE worklist.events ENABLE ROW LEVEL SECURITY;
ALTER TABLE worklist.touched ENABLE ROW LEVEL SECURITY;
ALTER TABLE worklist.sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE worklist.access ENABLE ROW LEVEL SECURITY;

CREATE POLICY own ON worklist.access USING (role = current_user);
CREATE POLICY own ON worklist.lists USING (EXISTS (
    SELECT FROM worklist.access a WHERE a.role = current_user AND (a.list = '*' OR a.list = lists.name)));
CREATE POLICY own ON worklist.heads USING (list IN (SELECT l.list FROM worklist.lists l));
CREATE POLICY own ON worklist.tasks USING (list IN (SELECT l.list FROM worklist.lists l));
CREATE POLICY own ON worklist.events USING (list IN (SELECT l.list FROM worklist.lists l));
CREATE POLICY own ON worklist.touched USING (list IN (SELECT l.list FROM worklist.lists l));
CREATE POLICY own ON worklist.sessions USING (list IN (SELECT l.list FROM worklist.lists l));
