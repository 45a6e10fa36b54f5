-- expands: a table is added, and what people wrote to us may be erased.
-- Accounts that were closed by their people, so that it can be told that and when; nothing that identifies them.
create table erasures (
  user_id uuid primary key references users,
  at      timestamptz not null
);

create trigger append_only before update or delete on erasures for each row execute function refuse_change();

drop trigger append_only on feedback;
create trigger append_only before update on feedback for each row execute function refuse_change();
