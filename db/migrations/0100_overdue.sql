-- Lists know by which day somebody has to answer, so that overdue requests are found by an index. A version that does not know it leaves
-- the day as it was.

-- The earliest deadline of those who are asked now; null: none.
alter table signing_requests add column due_on date;
-- The same of this inbox alone.
alter table request_inboxes add column due_on date;

-- Deadlines are newer than most requests, so few rows have one.
update signing_requests r set due_on = p.due_on
from (select request_id, min(due_on) as due_on from request_points
  where attempt = 0 and due_on is not null and status in (2, 3, 4) group by request_id) p
where p.request_id = r.id and r.status in (2, 32, 64);
update request_inboxes i set due_on = p.due_on
from (select p.request_id, coalesce(p.group_id::text, p.bin) as inbox, min(p.due_on) as due_on
  from request_points p join signing_requests r on r.id = p.request_id and r.status in (2, 32, 64)
  where p.attempt = 0 and p.due_on is not null and p.status in (2, 3, 4) group by 1, 2) p
where p.request_id = i.request_id and p.inbox = i.inbox;

create index requests_due on signing_requests (organization_id, due_on) where due_on is not null;
create index inboxes_due on request_inboxes (inbox, due_on) where due_on is not null;
