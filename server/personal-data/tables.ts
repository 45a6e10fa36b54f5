/**
 * Where data of a person is stored, and what becomes of it when they close their account. A test compares this list with the
 * database, so that a new table that names people is not forgotten.
 */

export type PersonalTable = {
  table: string
  /** Of the row `t`; $1 is the person, $2 their e-mail, $3 their IIN, $4 their id at the embedded sign-in. */
  isTheirs: string
  /** Secrets, and what is derived or too large to be of use. */
  without?: readonly string[]
  /**
   * gone: rows are deleted. kept: others' documents and proofs rest on them. changed: what identifies the person is taken out.
   */
  erased: 'gone' | 'kept' | 'changed'
}

const by = (column: string) => `t.${column} = $1`

export const personalTables: readonly PersonalTable[] = [
  { table: 'users', isTheirs: by('id'), erased: 'changed' },
  { table: 'sign_in_accounts', isTheirs: 't.id = $4', without: ['password_hash'], erased: 'gone' },
  { table: 'sessions', isTheirs: by('user_id'), without: ['token_hash', 'id_token'], erased: 'gone' },
  { table: 'memberships', isTheirs: by('user_id'), erased: 'gone' },
  { table: 'group_participants', isTheirs: by('user_id'), erased: 'gone' },
  { table: 'user_options', isTheirs: by('user_id'), erased: 'gone' },
  { table: 'notification_settings', isTheirs: by('user_id'), erased: 'gone' },
  { table: 'notices', isTheirs: by('user_id'), erased: 'gone' },
  { table: 'join_requests', isTheirs: `${by('user_id')} or ${by('decided_by')}`, erased: 'kept' },
  {
    table: 'invitations',
    isTheirs: `lower(t.email) = lower($2) or ${by('invited_by')} or ${by('accepted_by')}`,
    without: ['token_hash'],
    erased: 'kept',
  },
  { table: 'mobile_signings', isTheirs: by('user_id'), without: ['token', 'answer_hash'], erased: 'gone' },
  {
    table: 'substitutions',
    isTheirs: `${by('absent_id')} or ${by('substitute_id')} or ${by('ended_by')}`,
    erased: 'kept',
  },
  { table: 'point_responsible_persons', isTheirs: by('user_id'), erased: 'gone' },
  { table: 'documents', isTheirs: by('author_id'), erased: 'kept' },
  { table: 'document_templates', isTheirs: by('author_id'), erased: 'kept' },
  { table: 'classifiers', isTheirs: by('author_id'), erased: 'kept' },
  { table: 'points', isTheirs: by('author_id'), erased: 'kept' },
  { table: 'routes', isTheirs: by('author_id'), erased: 'kept' },
  { table: 'route_versions', isTheirs: by('saved_by'), erased: 'kept' },
  { table: 'signing_requests', isTheirs: by('author_id'), erased: 'kept' },
  { table: 'request_events', isTheirs: `t.actor ->> 'id' = $1::text`, without: ['salt'], erased: 'kept' },
  {
    table: 'request_signatures',
    isTheirs: `t.actor ->> 'id' = $1::text`,
    without: ['evidence', 'verdict'],
    erased: 'kept',
  },
  { table: 'request_reminders', isTheirs: by('by'), erased: 'kept' },
  { table: 'bulk_sendings', isTheirs: by('author_id'), erased: 'kept' },
  { table: 'organization_events', isTheirs: by('by'), erased: 'kept' },
  { table: 'organization_signatures', isTheirs: by('by'), without: ['evidence', 'verdict'], erased: 'kept' },
  {
    table: 'powers_of_attorney',
    isTheirs: `t.holder_iin = $3 or ${by('registered_by')} or ${by('revoked_by')}`,
    erased: 'kept',
  },
  {
    table: 'program_tokens',
    isTheirs: `${by('acts_as')} or ${by('made_by')} or ${by('revoked_by')}`,
    without: ['token_hash'],
    erased: 'kept',
  },
  {
    table: 'webhooks',
    isTheirs: `${by('acts_as')} or ${by('made_by')}`,
    without: ['secret', 'previous_secret'],
    erased: 'kept',
  },
  { table: 'journals', isTheirs: by('created_by'), erased: 'kept' },
  { table: 'document_kinds', isTheirs: by('created_by'), erased: 'kept' },
  { table: 'registrations', isTheirs: by('registered_by'), erased: 'kept' },
  { table: 'retention_terms', isTheirs: by('added_by'), erased: 'kept' },
  { table: 'legal_holds', isTheirs: `${by('set_by')} or ${by('lifted_by')}`, erased: 'kept' },
  { table: 'destruction_acts', isTheirs: `${by('prepared_by')} or ${by('carried_out_by')}`, erased: 'kept' },
  { table: 'deletions', isTheirs: by('deleted_by'), without: ['rows', 'referring'], erased: 'kept' },
  { table: 'operator_acts', isTheirs: by('by'), erased: 'kept' },
  { table: 'feedback', isTheirs: 'lower(t.email) = lower($2)', erased: 'gone' },
]

/** They name people and hold nothing that another table does not say. */
export const countsOfPeople = ['document_counts', 'document_template_counts', 'point_counts', 'route_counts']
