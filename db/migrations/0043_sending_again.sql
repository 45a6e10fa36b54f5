-- A request that was rejected or withdrawn is corrected and sent again: the new one says which it follows. Each is followed
-- at most once, so that the requests about one matter stand in one line.
alter table signing_requests add column follows_id uuid references signing_requests (id);

create unique index requests_by_followed on signing_requests (follows_id) where follows_id is not null;
