-- Quick send for information names a number outside too: 512 joins the kinds by which a counterparty is found.
create index request_points_counterparties on request_points (bin, request_id)
  where attempt = 0 and type & 7076 <> 0;

drop index request_points_outside;
