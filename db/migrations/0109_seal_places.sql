-- expands: where the seal of a signing point is shown on its document (decision 089); a version that does not know it keeps none

-- {page, left, top}: the upper left corner in fractions of the page, chosen on the document that was sent
alter table request_points add column place jsonb;
