-- expands: signatures inside XML may be asked for at a point; a signature then is the element that stands in the document.
alter table points
  drop constraint points_signature_form_check,
  add constraint points_signature_form_check check (signature_form in ('cms', 'pades', 'xades'));
alter table request_points
  drop constraint request_points_signature_form_check,
  add constraint request_points_signature_form_check check (signature_form in ('cms', 'pades', 'xades'));
