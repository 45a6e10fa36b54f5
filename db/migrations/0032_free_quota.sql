-- The free requests are counted for a proved number, and for a person where nothing is proved.

create table free_request_counts (
  -- 'number 260140020007' or 'person <id of the user>'
  holder  text primary key check (holder ~ '^(number [0-9]{12}|person [0-9a-f-]{36})$'),
  created int not null check (created >= 0)
);

insert into free_request_counts (holder, created)
select 'number ' || number, count(*)
from (
  select case
    when r.sender_confirmed_at is not null or r.is_from_landing then r.sender_bin
    -- Sent before the number was proved: counts for it since.
    when o.confirmed_at is not null then o.bin
  end as number
  from signing_requests r
  join organizations o on o.id = r.organization_id
) sent
where number is not null
group by number;

insert into free_request_counts (holder, created)
select 'person ' || author_id, count(*)
from signing_requests
where sender_confirmed_at is null and not is_from_landing
group by author_id;
