-- The other side may return a document with a proposed file (decision 088). A version that does not know it asks nobody about the proposal
-- and shows others that there was one.

create table request_proposals (
  request_id uuid not null references signing_requests,
  -- of the event by which it came
  number     integer not null check (number > 0),
  point_id   uuid not null,
  file_id    uuid not null references files,
  file_name  text not null,
  format     text not null check (format in ('pdf', 'docx', 'xlsx', 'doc', 'xls')),
  primary key (request_id, number)
);

create index on request_proposals (file_id);

create trigger append_only before update or delete on request_proposals
  for each row execute function refuse_change();
create trigger append_only_all before truncate on request_proposals
  for each statement execute function refuse_change();

-- The proposal of this side that waits for the author.
alter table request_points add column proposal integer check (proposal > 0);
