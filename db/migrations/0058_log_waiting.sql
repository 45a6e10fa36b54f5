-- Events that are committed and not in the transparency log yet (decision 040). The database itself notes each event in the
-- transaction that adds it, so none can be forgotten; whoever sequences them takes the row away in the transaction that appends
-- the leaf, so none is doubled. In the order of the id, which within a request is the order of its events, because they are added
-- by whoever has locked the request.
create table log_waiting (
  id         bigint generated always as identity primary key,
  request_id uuid not null,
  number     integer not null,
  foreign key (request_id, number) references request_events
);

create index on log_waiting (request_id, number);

create function note_waiting() returns trigger language plpgsql as $$
begin
  insert into log_waiting (request_id, number)
  select request_id, number from added order by request_id, number;
  return null;
end $$;

create trigger note_waiting after insert on request_events
  referencing new table as added for each statement execute function note_waiting();

-- Leaves of a request stand in the order of its events, whoever appends them: a process of the version before this one, which
-- appends in the transaction of the act, is refused while an earlier event waits, and its caller tries again.
create function refuse_early_entries() returns trigger language plpgsql as $$
begin
  if exists (
    select from added a join log_waiting w on w.request_id = a.request_id and w.number < a.number
  ) then
    raise exception 'an earlier event of the request waits' using errcode = 'serialization_failure';
  end if;
  return null;
end $$;

create trigger refuse_early_entries after insert on log_entries
  referencing new table as added for each statement execute function refuse_early_entries();
