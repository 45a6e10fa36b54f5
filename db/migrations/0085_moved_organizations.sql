-- expands: a column and two tables are added, and organisations that live elsewhere accept no changes.
-- Organisations as the unit that moves between installations (decision 072).

-- The address of the installation where the organisation lives; null: here. One that moved away, or that is known here only from the
-- documents of others, is read-only.
alter table organizations add column lives_at text check (lives_at ~ '^https?://');

-- The head of the log of another installation at the moment when requests left it, with its key.
create table earlier_logs (
  id         uuid primary key,
  origin     text not null,
  public_key bytea not null,
  size       bigint not null check (size >= 0),
  at         timestamptz not null,
  root       bytea not null check (length(root) = 32),
  key_id     bytea not null check (length(key_id) = 32),
  signature  bytea not null
);

-- Where an event stood in that log, and the siblings that lead from its leaf to the root, one after the other.
create table earlier_log_entries (
  request_id uuid not null,
  number     integer not null,
  log_id     uuid not null references earlier_logs,
  index      bigint not null check (index >= 0),
  siblings   bytea not null check (length(siblings) % 32 = 0),
  primary key (request_id, number, log_id),
  foreign key (request_id, number) references request_events
);

create trigger append_only before update or delete on earlier_logs for each row execute function refuse_change();
create trigger append_only_all before truncate on earlier_logs for each statement execute function refuse_change();
create trigger append_only before update or delete on earlier_log_entries for each row execute function refuse_change();
create trigger append_only_all before truncate on earlier_log_entries for each statement execute function refuse_change();

-- Calls of an organisation that lives elsewhere are refused with words. This is for those that were under way when it left: what they
-- would write is in no package. The import itself says that it imports.
create function refuse_of_moved() returns trigger language plpgsql as $$
begin
  if current_setting('kelisim.importing', true) is distinct from 'yes'
    and exists (select from organizations o where o.id = new.organization_id and o.lives_at is not null) then
    raise exception 'the organisation lives elsewhere' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create function refuse_events_of_moved() returns trigger language plpgsql as $$
begin
  if current_setting('kelisim.importing', true) is distinct from 'yes' and exists (
    select from (
      select r.organization_id as id from added a join signing_requests r on r.id = a.request_id
      union select p.organization_id from added a join request_points p on p.request_id = a.request_id
    ) sides join organizations o on o.id = sides.id where o.lives_at is not null) then
    raise exception 'an organisation of the request lives elsewhere' using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;

create trigger refuse_events_of_moved after insert on request_events
  referencing new table as added for each statement execute function refuse_events_of_moved();

do $$
declare
  of_organizations text[] := array['memberships', 'groups', 'group_participants', 'substitutions', 'documents',
    'document_templates', 'classifiers', 'points', 'routes', 'journals', 'document_kinds', 'registrations', 'retention_terms',
    'legal_holds', 'destruction_acts', 'powers_of_attorney', 'bulk_sendings', 'signing_requests', 'subscriptions'];
  name text;
begin
  foreach name in array of_organizations loop
    execute format('create trigger refuse_of_moved before insert or update on %I
      for each row execute function refuse_of_moved()', name);
  end loop;
end $$;
