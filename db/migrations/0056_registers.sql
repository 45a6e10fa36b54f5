-- Registers of organisations: journals with their numbering, kinds of documents, and the numbers that requests were given.
-- Rules are in domain/registers.

create table journals (
  id              uuid primary key,
  organization_id uuid not null references organizations,
  name            text not null check (name <> '' and length(name) <= 250),
  direction       text not null check (direction in ('outgoing', 'incoming')),
  prefix          text not null check (length(prefix) <= 20),
  year_place      text not null check (year_place in ('none', 'before', 'after')),
  width           integer not null check (width between 1 and 8),
  first_number    integer not null check (first_number between 1 and 9999999),
  -- The year whose count begins with it; every other begins with 1.
  first_year      integer not null,
  is_active       boolean not null default true,
  version         integer not null default 1,
  created_by      uuid not null references users,
  created_at      timestamptz not null,
  unique (organization_id, id)
);

create unique index journals_name on journals (organization_id, lower(name));

-- One count for each year in Almaty, or one for all with the year 0. The row is locked from the moment a number is taken until
-- its transaction ends, so a number that was not used is given to the next.
create table journal_counters (
  journal_id uuid not null references journals,
  year       integer not null,
  first      integer not null,
  last       integer not null check (last >= first),
  primary key (journal_id, year)
);

create table document_kinds (
  id                   uuid primary key,
  organization_id      uuid not null references organizations,
  name                 text not null check (name <> '' and length(name) <= 250),
  journal_id           uuid,
  registers_at_sending boolean not null,
  is_active            boolean not null default true,
  version              integer not null default 1,
  created_by           uuid not null references users,
  created_at           timestamptz not null,
  unique (organization_id, id),
  foreign key (organization_id, journal_id) references journals (organization_id, id),
  check (journal_id is not null or not registers_at_sending)
);

create unique index document_kinds_name on document_kinds (organization_id, lower(name));

alter table signing_requests
  add column kind_id uuid,
  add foreign key (organization_id, kind_id) references document_kinds (organization_id, id);

-- A request has one number in each organisation: the sender's own, and those that recipients give it.
create table registrations (
  organization_id uuid not null references organizations,
  request_id      uuid not null references signing_requests,
  journal_id      uuid not null,
  year            integer not null,
  counter         integer not null,
  number          text not null,
  registered_by   uuid not null references users,
  registered_at   timestamptz not null,
  primary key (request_id, organization_id),
  unique (journal_id, year, counter),
  unique (journal_id, number),
  foreign key (organization_id, journal_id) references journals (organization_id, id)
);

create index registrations_numbers on registrations (organization_id, lower(number) text_pattern_ops);

-- The words of a request, and among them the numbers that organisations gave it.
create or replace function search_rows(kind text, ids uuid[]) returns table (id uuid, words text[])
language plpgsql stable as $$
begin
  if kind = 'request' then
    return query
      select r.id,
        search_words(concat_ws(
          ' ', r.name, r.description, r.file_name, r.sender_name, r.sender_bin, p.parties, n.numbers))
          || search_keys(r.organization_id, r.author_id, false) || coalesce(i.keys, '{}')
      from signing_requests r
        left join lateral (
          select string_agg(concat_ws(' ', p.organization_name, p.bin), ' ') as parties
          from request_points p where p.request_id = r.id and p.attempt = 0) p on true
        left join lateral (
          select string_agg(g.number, ' ') as numbers from registrations g where g.request_id = r.id) n on true
        left join lateral (
          select array_agg('@i' || i.inbox) as keys from request_inboxes i where i.request_id = r.id) i on true
      where r.id = any (ids);
  elsif kind = 'document' then
    return query
      select d.id, search_words(concat_ws(' ', d.name, d.description))
        || search_keys(d.organization_id, d.author_id, d.visibility = 'public')
      from documents d where d.id = any (ids);
  elsif kind = 'template' then
    return query
      select t.id, search_words(concat_ws(' ', t.name, t.description))
        || search_keys(t.organization_id, t.author_id, t.visibility = 'public')
      from document_templates t where t.id = any (ids);
  elsif kind in ('route', 'routeTemplate') then
    return query
      select r.id, search_words(concat_ws(' ', r.name, r.description))
        || search_keys(r.organization_id, r.author_id, r.scope = 'common')
      from routes r
      where r.id = any (ids) and r.kind = case search_rows.kind when 'route' then 'route' else 'template' end;
  elsif kind = 'point' then
    return query
      select p.id, search_words(concat_ws(' ', p.name, p.description, p.organization_name, p.bin))
        || search_keys(p.organization_id, p.author_id, p.scope = 'common')
      from points p where p.id = any (ids);
  elsif kind = 'person' then
    return query
      select u.id, search_words(concat_ws(' ', u.full_name, u.email, u.login))
        || array_agg('@p' || m.organization_id)
      from users u join memberships m on m.user_id = u.id where u.id = any (ids) group by u.id;
  end if;
end $$;

create trigger search_added after insert on registrations referencing new table as changed
  for each statement execute function search_changed('request', 'request_id');
