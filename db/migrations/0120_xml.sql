-- expands: documents in XML where an organisation wants them.
alter table organizations
  add column documents_upload_xml boolean not null default false;

alter table documents
  drop constraint documents_format_check,
  add constraint documents_format_check check (format in ('pdf', 'docx', 'xlsx', 'doc', 'xls', 'xml'));
alter table signing_requests
  drop constraint signing_requests_format_check,
  add constraint signing_requests_format_check check (format in ('pdf', 'docx', 'xlsx', 'doc', 'xls', 'xml'));
alter table request_revisions
  drop constraint request_revisions_format_check,
  add constraint request_revisions_format_check check (format in ('pdf', 'docx', 'xlsx', 'doc', 'xls', 'xml'));
