/**
 * What belongs to an organisation that moves to another installation, table by table, and what does not (decision 072). A test
 * compares both lists with the database, so that a new table is not forgotten.
 */

export type MovedTable = {
  table: string
  /**
   * The condition under which row `t` moves; $1 is the organisation. The requests, files and signatures that move are
   * in the temporary tables moving_requests, moving_files and moving_signatures.
   */
  goes: string
  /** A column that is numbered anew on import, in the same order. */
  numbered?: string
  /** Columns that are exported only in rows of the organisation itself; rows of others get them when these move. */
  own?: readonly string[]
  /** Both installations may have changed the row since, and each is right: an existing row stays as it is. */
  mayDiffer?: boolean
  /** Arrays that name people; columns that refer to users are known to the database. */
  people?: readonly string[]
}

const ours = 't.organization_id = $1'
const ofRequest = 't.request_id in (select id from moving_requests)'
const ofSignature = 't.signature_id in (select id from moving_signatures)'
const ofOur = (column: string, table: string) =>
  `t.${column} in (select id from ${table} where organization_id = $1)`
/** Timestamps in the chains of renewals that begin with those of the moving signatures. */
const timestamps = `with recursive chain (id) as (
    select timestamp_id from archive_proofs where signature_id in (select id from moving_signatures)
    union select r.renewed_by from archive_renewals r join chain c on r.timestamp_id = c.id)
  select id from chain`

/** Accounts of the embedded sign-in service. */
const ourAccounts = `(select u.subject from users u join memberships m on m.user_id = u.id
  where u.issuer = 'embedded' and m.organization_id = $1)`

/**
 * Ordered so that a row comes after those it refers to; users and organisations are chosen by what refers to them.
 */
export const movedTables: readonly MovedTable[] = [
  { table: 'organizations', goes: 't.id in (select id from moving_organizations)' },
  { table: 'users', goes: 't.id in (select id from moving_users)', mayDiffer: true },
  { table: 'sign_in_accounts', goes: `t.id::text in ${ourAccounts}`, mayDiffer: true },
  // The second step moves with the password, because otherwise the password alone would be enough there.
  { table: 'sign_in_second_factors', goes: `t.account_id::text in ${ourAccounts}`, mayDiffer: true },
  { table: 'sign_in_recovery_codes', goes: `t.account_id::text in ${ourAccounts}`, mayDiffer: true },
  { table: 'erasures', goes: 't.user_id in (select id from moving_users)', mayDiffer: true },
  { table: 'memberships', goes: ours },
  { table: 'groups', goes: ours },
  { table: 'group_participants', goes: ours },
  { table: 'user_options', goes: ours },
  { table: 'notification_settings', goes: ours },
  { table: 'organization_signatures', goes: ours },
  { table: 'organization_events', goes: ours, numbered: 'id' },
  { table: 'join_requests', goes: ours },
  { table: 'substitutions', goes: ours },
  { table: 'subscriptions', goes: ours },
  { table: 'subscription_letters', goes: ofOur('subscription_id', 'subscriptions') },
  { table: 'signing_request_counts', goes: ours },
  {
    table: 'free_request_counts',
    goes: `t.holder in (select 'number ' || bin from organizations where id = $1)`,
    mayDiffer: true,
  },
  { table: 'stopped_letters', goes: ours, mayDiffer: true },
  { table: 'files', goes: 't.id in (select id from moving_files)', mayDiffer: true },
  {
    table: 'file_digests',
    goes: 't.sha256 in (select sha256 from files where id in (select id from moving_files))',
    mayDiffer: true,
  },
  { table: 'documents', goes: ours },
  { table: 'document_templates', goes: ours },
  { table: 'written_documents', goes: ours },
  { table: 'classifiers', goes: ours },
  { table: 'points', goes: ours },
  { table: 'point_emails', goes: ofOur('point_id', 'points') },
  { table: 'point_responsible_persons', goes: ofOur('point_id', 'points') },
  { table: 'routes', goes: ours },
  { table: 'route_points', goes: ours },
  { table: 'route_versions', goes: ours },
  { table: 'journals', goes: ours },
  { table: 'journal_counters', goes: ofOur('journal_id', 'journals') },
  { table: 'document_kinds', goes: ours },
  { table: 'retention_terms', goes: ours, numbered: 'position' },
  { table: 'packages', goes: ours },
  {
    table: 'signing_requests',
    goes: 't.id in (select id from moving_requests)',
    own: ['document_id', 'route_id', 'kind_id', 'follows_id', 'package_id', 'package_position'],
  },
  { table: 'request_points', goes: ofRequest, people: ['responsible', 'acted', 'stood_in'] },
  { table: 'request_events', goes: ofRequest },
  { table: 'request_revisions', goes: ofRequest },
  {
    table: 'request_proposals',
    // Only proposals whose file moves: what one recipient proposed must not be shown to another.
    goes: `t.file_id in (select id from moving_files) and ${ofRequest}`,
  },
  { table: 'request_terminations', goes: ofRequest },
  { table: 'request_signatures', goes: ofRequest },
  { table: 'request_inboxes', goes: ofRequest },
  { table: 'request_access_codes', goes: ofRequest },
  { table: 'request_reminders', goes: ofRequest },
  {
    table: 'request_classifiers',
    goes: `${ofRequest} and ${ofOur('classifier_id', 'classifiers')}`,
  },
  // Internal comments of other organisations do not move.
  { table: 'comment_threads', goes: `${ofRequest} and (t.is_shared or t.organization_id = $1)` },
  {
    table: 'comments',
    goes: `t.thread_id in (select id from comment_threads c where c.request_id in (select id from moving_requests)
      and (c.is_shared or c.organization_id = $1))`,
  },
  { table: 'campaigns', goes: ours },
  {
    table: 'campaign_people',
    goes: `t.request_id in (select request_id from campaigns where organization_id = $1)`,
  },
  { table: 'registrations', goes: ours },
  { table: 'legal_holds', goes: ours },
  { table: 'destruction_acts', goes: ours },
  { table: 'destruction_items', goes: ofOur('act_id', 'destruction_acts') },
  { table: 'powers_of_attorney', goes: ours },
  { table: 'bulk_sendings', goes: ours },
  { table: 'bulk_rows', goes: ofOur('bulk_id', 'bulk_sendings') },
  { table: 'signature_timestamps', goes: ofSignature, mayDiffer: true },
  { table: 'signature_rechecks', goes: ofSignature, mayDiffer: true },
  {
    table: 'revocation_lists',
    // The evidence of signatures and of timestamps names the CRLs that it is based on by their hashes.
    goes: `t.sha256 in (select decode(found[1], 'hex') from (
        select evidence from request_signatures where id in (select id from moving_signatures)
        union all
        select evidence from signature_timestamps where signature_id in (select id from moving_signatures)) named
      cross join regexp_matches(named.evidence::text, '"([0-9a-f]{64})"', 'g') found)`,
    mayDiffer: true,
  },
  { table: 'archived_signatures', goes: ofSignature, mayDiffer: true },
  { table: 'long_term_signatures', goes: ofSignature, mayDiffer: true },
  { table: 'archive_timestamps', goes: `t.id in (${timestamps})`, mayDiffer: true },
  { table: 'archive_proofs', goes: ofSignature, mayDiffer: true },
  { table: 'archive_renewals', goes: `t.timestamp_id in (${timestamps})`, mayDiffer: true },
  {
    table: 'earlier_logs',
    goes: `t.id in (select log_id from earlier_log_entries where request_id in (select id from moving_requests))`,
    mayDiffer: true,
  },
  { table: 'earlier_log_entries', goes: ofRequest, mayDiffer: true },
]

/** What stays behind, and why. */
export const stayingTables: Record<string, readonly string[]> = {
  'gives access here, and is given anew there': [
    'sessions',
    'program_tokens',
    'webhooks',
    'invitations',
    'invitation_groups',
    'directory_people',
    'directory_groups',
    'group_mappings',
    'group_mapping_rows',
    'organization_challenges',
    'outsiders',
    'mobile_signings',
    'landing_transactions',
    'sign_in_challenges',
    'sign_in_failures',
    'sign_in_keys',
    'sign_in_outsiders',
    'sign_in_passkey_challenges',
    'sign_in_passkeys',
    'sign_in_payloads',
    'sign_in_pending_logouts',
    'sign_in_readings',
    'sign_in_second_steps',
    'sign_in_tokens',
    'server_keys',
  ],
  'is under way, or was told already': [
    'mails',
    'notices',
    'untold_events',
    'webhook_deliveries',
    'program_calls',
    'request_act_keys',
    'deletions',
    'member_imports',
    'member_import_rows',
    'stranger_mail_counts',
  ],
  'is made of the rest by the database or by the product': [
    'classifier_counts',
    'document_counts',
    'document_template_counts',
    'point_counts',
    'route_counts',
    'file_bytes',
    'file_findings',
    'search_entries',
    'search_texts',
    'request_outputs',
    'organization_changes',
    'contractor_names',
  ],
  'is the log of the installation: of it the proofs go along': [
    'log_size',
    'log_entries',
    'log_nodes',
    'log_heads',
    'log_waiting',
    'log_checkpoints',
    'log_cosignatures',
    'log_witnesses',
  ],
  'belongs to the installation': [
    'installation',
    'migrations',
    'moved_requests',
    'backups',
    'operator_acts',
    'rate_limits',
    'code_tries',
    'used_captchas',
    'feedback',
  ],
}
