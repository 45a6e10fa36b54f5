-- What this database serves: once a demo, never production. Its invented people must not own anything real.
create table installation (
  is_only boolean primary key default true check (is_only),
  mode    text not null check (mode in ('demo', 'production'))
);

-- The history refuses to be emptied as well as to be changed.
create trigger never_emptied before truncate on organization_events
  for each statement execute function refuse_change();

-- Two owners may edit at once: who saves what they no longer see is told, and nothing is lost.
alter table organizations add column version int not null default 1;
alter table groups add column version int not null default 1;
