-- expands: two tables and two columns are added.
-- Documents whose term has ended are destroyed by an act that the head has signed: their files go, their rows and proofs stay.
alter table files add column destroyed_at timestamptz;
-- When the bytes were removed from the storage.
alter table files add column removed_at timestamptz;
create index files_to_remove on files (id) where destroyed_at is not null and removed_at is null;

-- What is removed takes no room of the organisation any more; the row stays.
create function uncount_removed_bytes() returns trigger language plpgsql as $$
begin
  update file_bytes set bytes = bytes - new.size where organization_id = new.organization_id;
  return null;
end $$;

create trigger bytes_removed after update on files for each row
  when (old.removed_at is null and new.removed_at is not null) execute function uncount_removed_bytes();

create table destruction_acts (
  id              uuid primary key,
  organization_id uuid not null references organizations,
  -- The act itself, as it has to be signed.
  file_id         uuid not null references files,
  file_name       text not null,
  document_id     uuid references documents on delete set null,
  prepared_by     uuid not null references users,
  prepared_at     timestamptz not null,
  -- The request in which the head signed it.
  request_id      uuid references signing_requests,
  signed_by       text,
  signed_at       timestamptz,
  carried_out_by  uuid references users,
  carried_out_at  timestamptz,
  check ((carried_out_at is null) = (request_id is null))
);

create index on destruction_acts (organization_id, prepared_at);
create index on destruction_acts (document_id);
create index on destruction_acts (file_id);
create index on destruction_acts (request_id);

create table destruction_items (
  act_id     uuid not null references destruction_acts,
  request_id uuid not null references signing_requests,
  name       text not null,
  ended_on   date not null,
  kept_until date not null,
  basis      text not null,
  sha256     bytea not null,
  primary key (act_id, request_id)
);

create index on destruction_items (request_id);

create trigger stays before delete on destruction_acts for each row execute function refuse_change();
create trigger append_only before update or delete on destruction_items for each row execute function refuse_change();
