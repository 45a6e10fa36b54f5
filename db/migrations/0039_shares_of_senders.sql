-- What one sender uses of the day of an address or a domain is counted too.
alter table stranger_mail_counts
  drop constraint stranger_mail_counts_kind_check,
  add constraint stranger_mail_counts_kind_check check (
    kind in (
      'person', 'person-to-address', 'person-to-domain',
      'organization', 'organization-to-address', 'organization-to-domain',
      'address', 'domain'
    )
  );
