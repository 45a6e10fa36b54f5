-- expands: how many bytes the files of each organisation have, kept while files come and go, for its quota.
create table file_bytes (
  organization_id uuid primary key references organizations,
  bytes           bigint not null check (bytes >= 0)
);

create function count_file_bytes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into file_bytes
      select organization_id, sum(size) from changed group by 1 order by 1
      on conflict (organization_id) do update set bytes = file_bytes.bytes + excluded.bytes;
  else
    update file_bytes b set bytes = b.bytes - gone.bytes
      from (select organization_id, sum(size) as bytes from changed group by 1) gone
      where b.organization_id = gone.organization_id;
  end if;
  return null;
end $$;

-- Before the sum is taken: they lock out other writers until it is committed.
create trigger bytes_counted_in after insert on files
  referencing new table as changed for each statement execute function count_file_bytes();
create trigger bytes_counted_out after delete on files
  referencing old table as changed for each statement execute function count_file_bytes();

insert into file_bytes select organization_id, sum(size) from files group by 1;
