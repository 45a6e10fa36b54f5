-- How an organisation's printable documents look; the defaults are the full card, as it always was.
alter table organizations
  add column is_signature_sheet_compact boolean not null default false,
  add column is_footer_mark_printed boolean not null default false;
