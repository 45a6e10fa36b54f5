-- expands: a table is added.
-- Accounts that were closed by their people, so that it can be told that and when; nothing that identifies them.
create table erasures (
  user_id uuid primary key references users,
  at      timestamptz not null
);

create trigger append_only before update or delete on erasures for each row execute function refuse_change();
