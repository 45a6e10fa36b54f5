-- What happened to the requests of an organisation, for programs that ask what is new. The position is that of the event in
-- the transparency log, which is locked until the commit: so a lower position is never committed after a higher one, and
-- whoever has read up to a position has missed nothing before it.
create table organization_changes (
  organization_id uuid not null references organizations (id),
  position        bigint not null references log_entries (index),
  request_id      uuid not null,
  number          integer not null,
  primary key (organization_id, position)
);

-- Kept for organisations that have made a token: the sender, those whose groups act, and those whose confirmed number does.
create function note_changes() returns trigger language plpgsql as $$
begin
  insert into organization_changes (organization_id, position, request_id, number)
  select o.id, e.index, e.request_id, e.number
  from added e
  cross join lateral (
    select r.organization_id as id from signing_requests r where r.id = e.request_id
    union
    select p.organization_id from request_points p
    where p.request_id = e.request_id and p.organization_id is not null
    union
    select c.id from request_points p join organizations c on c.bin = p.bin and c.confirmed_at is not null
    where p.request_id = e.request_id and p.bin <> ''
  ) o
  where exists (select from program_tokens t where t.organization_id = o.id);
  return null;
end $$;

create trigger note_changes after insert on log_entries
  referencing new table as added for each statement execute function note_changes();
