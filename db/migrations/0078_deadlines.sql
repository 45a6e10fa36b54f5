-- How many working days the people of a point have from their turn; null: any time.
alter table route_points add column term_days integer check (term_days between 1 and 100);
alter table request_points
  add column term_days integer check (term_days between 1 and 100),
  -- Days in Almaty, set when the turn comes.
  add column remind_on date,
  add column due_on date,
  add column told_deadline text not null default 'nothing' check (told_deadline in ('nothing', 'reminded', 'overdue')),
  add check ((remind_on is null) = (due_on is null));
-- The last day on which the request can be signed; after it the system withdraws it.
alter table signing_requests add column expires_on date;

-- What has still to be told of, the earliest first.
create index request_points_deadlines on request_points (remind_on) where due_on is not null and told_deadline <> 'overdue';
create index signing_requests_expiring on signing_requests (expires_on) where expires_on is not null and status in (1, 2, 32);
