-- A request keeps who sent it, as it was proved when it was sent: names and numbers that change later do not change it.

alter table signing_requests
  add column sender_name         text,
  add column sender_bin          text,
  -- When the sender had proved its number by its key; null: it had not.
  add column sender_confirmed_at timestamptz;

update signing_requests r
set sender_name = o.short_name,
    sender_bin = o.bin,
    sender_confirmed_at = case when o.confirmed_at <= r.created_at then o.confirmed_at end
from organizations o
where o.id = r.organization_id;

alter table signing_requests
  alter column sender_name set not null,
  alter column sender_bin set not null;
