-- expands: the form of signature that a point asks for, and where a signature stands in its PDF.
alter table points
  add column signature_form text not null default 'cms' check (signature_form in ('cms', 'pades'));
alter table request_points
  add column signature_form text not null default 'cms' check (signature_form in ('cms', 'pades'));

-- Of a signature inside a PDF: `file_id` is the file with the bytes that it covers, and between these two places of the PDF
-- stands the signature itself with its brackets.
alter table request_signatures
  add column gap_from integer check (gap_from > 0),
  add column gap_to   integer check (gap_to > gap_from),
  add check ((gap_from is null) = (gap_to is null));

create trigger immutable_gap before update of gap_from, gap_to on request_signatures
  for each row execute function refuse_other_contents();
