-- Document templates, and what documents were written from. Rules are in domain/rich-text.

create table document_templates (
  id              uuid primary key,
  organization_id uuid not null references organizations,
  author_id       uuid not null references users,
  name            text not null check (name <> '' and length(name) <= 250),
  description     text not null check (length(description) <= 500),
  -- as the server wrote it down, never as it came
  template        text not null check (template <> '' and length(template) <= 400000),
  language        text not null check (language in ('ru', 'kk', 'en')),
  visibility      text not null check (visibility in ('private', 'public')),
  version         integer not null default 1,
  created_at      timestamptz not null,
  unique (organization_id, id)
);

create trigger immutable before update of id, organization_id, author_id, created_at on document_templates
  for each row execute function refuse_other_contents();

-- Every list is a few pieces (whose, seen by whom), each in the order it is shown.
create index document_templates_by_created
  on document_templates (organization_id, visibility, created_at desc, id desc);
create index document_templates_by_name on document_templates (organization_id, visibility, name, id);
create index document_templates_of_author_by_created
  on document_templates (organization_id, author_id, visibility, created_at desc, id desc);
create index document_templates_of_author_by_name
  on document_templates (organization_id, author_id, visibility, name, id);

do $$
begin
  if (select count(*) from pg_extension where extname in ('pg_trgm', 'btree_gin')) = 2 then
    create index document_templates_names on document_templates using gin (lower(name) gin_trgm_ops);
  else
    create index document_templates_names on document_templates (organization_id, lower(name) text_pattern_ops);
  end if;
end $$;

-- How long each list is, by the pieces that lists are made of.
create table document_template_counts (
  organization_id uuid not null references organizations,
  author_id       uuid not null references users,
  visibility      text not null,
  count           integer not null check (count >= 0),
  primary key (organization_id, author_id, visibility)
);

create function count_document_templates() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into document_template_counts
      select organization_id, author_id, visibility, count(*) from came group by 1, 2, 3 order by 1, 2, 3
      on conflict (organization_id, author_id, visibility)
        do update set count = document_template_counts.count + excluded.count;
  end if;
  if tg_op <> 'INSERT' then
    update document_template_counts c set count = c.count - g.count
      from (select organization_id, author_id, visibility, count(*)::int as count from gone group by 1, 2, 3) g
      where (c.organization_id, c.author_id, c.visibility) = (g.organization_id, g.author_id, g.visibility);
  end if;
  return null;
end $$;

create trigger counted_in after insert on document_templates
  referencing new table as came for each statement execute function count_document_templates();
create trigger counted_over after update on document_templates
  referencing old table as gone new table as came for each statement execute function count_document_templates();
create trigger counted_out after delete on document_templates
  referencing old table as gone for each statement execute function count_document_templates();

-- The text behind a document that was written here: another can be begun with it. The document itself is its file.
create table written_documents (
  document_id     uuid primary key references documents on delete cascade,
  organization_id uuid not null references organizations,
  html            text not null check (html <> ''),
  template_id     uuid,
  foreign key (organization_id, template_id) references document_templates (organization_id, id)
    on delete set null (template_id)
);

create index on written_documents (organization_id, template_id) where template_id is not null;
create trigger immutable before update of document_id, organization_id, html on written_documents
  for each row execute function refuse_other_contents();
