-- expands: a table is added, and what has left with an organisation accepts no changes
-- Documents that came to the number of an organisation, and left with it (decision 072). Its points say only the number, to which new ones
-- may be sent after it has left.
create table moved_requests (
  organization_id uuid not null references organizations,
  request_id      uuid not null references signing_requests,
  primary key (request_id, organization_id)
);

insert into moved_requests (organization_id, request_id)
select distinct o.id, p.request_id
from organizations o
join request_points p on p.bin = o.bin
join signing_requests r on r.id = p.request_id
where o.lives_at is not null and o.confirmed_at is not null and r.created_at <= (
  select max(a.at) from operator_acts a where a.type = 'organization-exported' and a.details ->> 'bin' = o.bin);

create or replace function refuse_events_of_moved() returns trigger language plpgsql as $$
begin
  if current_setting('kelisim.importing', true) is distinct from 'yes' and exists (
    select from (
      select r.organization_id as id from added a join signing_requests r on r.id = a.request_id
      union select p.organization_id from added a join request_points p on p.request_id = a.request_id
      union select m.organization_id from added a join moved_requests m on m.request_id = a.request_id
    ) sides join organizations o on o.id = sides.id where o.lives_at is not null) then
    raise exception 'an organisation of the request lives elsewhere' using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
