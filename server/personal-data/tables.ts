/**
 * Where data of a person is stored, and what becomes of it when they close their account. A test compares this list with the
 * database, so that a new table that names people is not forgotten.
 */

export type PersonalTable = {
  table: string
  /**
   * The condition on row `t`; $1 is the person, $2 their e-mail, $3 their IIN, $4 their id at the embedded sign-in.
   */
  isTheirs: string
  /** Columns that are left out: secrets, and data that is derived or too large to be of use. */
  without?: readonly string[]
  /** gone: deleted. kept: documents or proofs of others depend on it. changed: identifying data is removed. */
  erased: 'gone' | 'kept' | 'changed'
}

const by = (column: string) => `t.${column} = $1`
/** Data of an organisation is given to its members only; a person who has left gets only data about themselves. */
const ofMember = (theirs: string) =>
  `(${theirs}) and exists (select from memberships m where m.organization_id = t.organization_id and m.user_id = $1)`

export const personalTables: readonly PersonalTable[] = [
  { table: 'users', isTheirs: by('id'), erased: 'changed' },
  { table: 'sign_in_accounts', isTheirs: 't.id = $4', without: ['password_hash'], erased: 'gone' },
  { table: 'sign_in_second_factors', isTheirs: 't.account_id = $4', without: ['secret'], erased: 'gone' },
  { table: 'sign_in_passkeys', isTheirs: 't.account_id = $4', without: ['public_key'], erased: 'gone' },
  { table: 'sessions', isTheirs: by('user_id'), without: ['token_hash', 'id_token'], erased: 'gone' },
  { table: 'memberships', isTheirs: by('user_id'), erased: 'gone' },
  { table: 'group_participants', isTheirs: by('user_id'), erased: 'gone' },
  { table: 'user_options', isTheirs: by('user_id'), erased: 'gone' },
  { table: 'notification_settings', isTheirs: by('user_id'), erased: 'gone' },
  {
    table: 'notices',
    isTheirs: `${by('user_id')} and (t.organization_id is null or ${ofMember('true')})`,
    erased: 'gone',
  },
  { table: 'join_requests', isTheirs: `${by('user_id')} or ${ofMember(by('decided_by'))}`, erased: 'kept' },
  {
    table: 'invitations',
    isTheirs: `lower(t.email) = lower($2) or ${ofMember(`${by('invited_by')} or ${by('accepted_by')}`)}`,
    without: ['token_hash'],
    erased: 'kept',
  },
  {
    table: 'directory_people',
    isTheirs: `${by('user_id')} or t.email = lower($2)`,
    erased: 'gone',
  },
  { table: 'mobile_signings', isTheirs: by('user_id'), without: ['token', 'answer_hash'], erased: 'gone' },
  {
    table: 'substitutions',
    isTheirs: ofMember(`${by('absent_id')} or ${by('substitute_id')} or ${by('ended_by')}`),
    erased: 'kept',
  },
  { table: 'point_responsible_persons', isTheirs: by('user_id'), erased: 'gone' },
  { table: 'documents', isTheirs: ofMember(by('author_id')), erased: 'kept' },
  {
    table: 'document_templates',
    isTheirs: ofMember(by('author_id')),
    without: ['template'],
    erased: 'kept',
  },
  { table: 'classifiers', isTheirs: ofMember(by('author_id')), erased: 'kept' },
  { table: 'points', isTheirs: ofMember(by('author_id')), erased: 'kept' },
  { table: 'routes', isTheirs: ofMember(by('author_id')), erased: 'kept' },
  { table: 'route_versions', isTheirs: ofMember(by('saved_by')), without: ['points'], erased: 'kept' },
  { table: 'packages', isTheirs: ofMember(by('author_id')), erased: 'kept' },
  { table: 'signing_requests', isTheirs: ofMember(by('author_id')), erased: 'kept' },
  {
    table: 'request_events',
    isTheirs: `t.actor ->> 'id' = $1::text`,
    without: ['salt', 'data'],
    erased: 'kept',
  },
  {
    table: 'request_signatures',
    isTheirs: `t.actor ->> 'id' = $1::text`,
    without: ['cms', 'timestamped_cms', 'evidence', 'verdict'],
    erased: 'kept',
  },
  {
    table: 'comment_threads',
    isTheirs: `t.resolved_by ->> 'id' = $1::text`,
    without: ['quote'],
    erased: 'kept',
  },
  { table: 'comments', isTheirs: `t.actor ->> 'id' = $1::text`, erased: 'kept' },
  { table: 'campaign_people', isTheirs: by('user_id'), erased: 'kept' },
  { table: 'request_reminders', isTheirs: by('by'), erased: 'kept' },
  {
    table: 'bulk_sendings',
    isTheirs: ofMember(by('author_id')),
    without: ['template', 'plan', 'variables'],
    erased: 'kept',
  },
  { table: 'member_imports', isTheirs: ofMember(by('author_id')), erased: 'kept' },
  { table: 'organization_events', isTheirs: ofMember(by('by')), erased: 'kept' },
  {
    table: 'organization_signatures',
    isTheirs: ofMember(by('by')),
    without: ['evidence', 'verdict'],
    erased: 'kept',
  },
  {
    table: 'powers_of_attorney',
    isTheirs: `t.holder_iin = $3 or ${ofMember(`${by('registered_by')} or ${by('revoked_by')}`)}`,
    erased: 'kept',
  },
  {
    table: 'program_tokens',
    isTheirs: ofMember(`${by('acts_as')} or ${by('made_by')} or ${by('revoked_by')}`),
    without: ['token_hash'],
    erased: 'kept',
  },
  {
    table: 'webhooks',
    isTheirs: ofMember(`${by('acts_as')} or ${by('made_by')}`),
    without: ['secret', 'previous_secret'],
    erased: 'kept',
  },
  { table: 'group_mapping_rows', isTheirs: ofMember(by('saved_by')), erased: 'kept' },
  { table: 'journals', isTheirs: ofMember(by('created_by')), erased: 'kept' },
  { table: 'document_kinds', isTheirs: ofMember(by('created_by')), erased: 'kept' },
  { table: 'registrations', isTheirs: ofMember(by('registered_by')), erased: 'kept' },
  { table: 'retention_terms', isTheirs: ofMember(by('added_by')), erased: 'kept' },
  { table: 'legal_holds', isTheirs: ofMember(`${by('set_by')} or ${by('lifted_by')}`), erased: 'kept' },
  {
    table: 'destruction_acts',
    isTheirs: ofMember(`${by('prepared_by')} or ${by('carried_out_by')}`),
    erased: 'kept',
  },
  {
    table: 'deletions',
    isTheirs: ofMember(by('deleted_by')),
    without: ['rows', 'referring'],
    erased: 'kept',
  },
  { table: 'operator_acts', isTheirs: by('by'), erased: 'kept' },
  { table: 'feedback', isTheirs: 'lower(t.email) = lower($2)', erased: 'gone' },
]

/** Tables that name people but hold nothing that another table does not hold, too. */
export const countsOfPeople = ['document_counts', 'document_template_counts', 'point_counts', 'route_counts']
