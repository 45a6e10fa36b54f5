/** Correcting a running request: its document, and the steps ahead. Also its earlier documents. */
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import type { Alias } from '../../errors.ts'
import { Id, Nothing, paragraphs, Version, VersionInPath } from '../../fields.ts'
import { longestTerm } from '../deadlines/deadline.ts'
import { mostPoints, highestOrder, Escalation } from '../../routes/contract.ts'
import { longestComment, OfRequest, SigningRequest } from '../contract.ts'

export const correctRequest = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/correct',
  access: 'member',
  summary: 'Replace the document of a running request; its author may, until everybody has signed',
  input: z.extend(OfRequest, {
    documentId: Id,
    /** What was changed; everybody who had the document reads this. */
    comment: paragraphs(longestComment).check(z.minLength(1, 'required')),
    currentVersion: z.optional(Version),
    /** Chosen by the client, so that a repeated call is idempotent and corrects once. */
    key: z.optional(Id),
  }),
  result: SigningRequest,
  refusals: [
    'signing-request-not-found',
    'request-changed',
    'wrong-request-status',
    'wrong-request-configuration',
    'not-enough-permissions',
    'signature-being-checked',
    'document-is-on-signing-process',
    'document-not-found',
    'outdated-document',
    'file-not-found',
    'file-storage-error',
    'document-not-printable',
    'document-not-signable',
    'signature-form-unfit',
    'correction-changes-nothing',
    'correction-needs-sending-again',
    'too-many-corrections',
  ],
})

/** Limited, because every correction keeps another document for ever. */
export const mostRevisions = 30
/** Limited, because every change of the steps stays in the history for ever. */
export const mostReroutings = 30

/** All steps ahead after the change; of a repeated point the earlier order counts. */
const StepsAhead = z
  .array(
    z.object({
      pointId: Id,
      order: z.int().check(z.minimum(1, 'order-not-positive'), z.maximum(highestOrder)),
      /** For an added step: working days from its turn. A step that was there before keeps its own term. */
      termDays: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(longestTerm)))),
      escalation: z.optional(z.nullable(Escalation)),
    }),
  )
  .check(z.maxLength(mostPoints))

/** Why points cannot be added to a request; the same refusals as when a route is sent. */
const addingRefusals = [
  'points-not-found',
  'internal_point_not_belong_to_organization',
  'counter_party_targets_creator_organization',
  'inactive-point',
  'unsuccessful_point_state',
  'group-smaller-than-quorum',
  'organization-point-not-found',
  'forbidden_external_point_by_options',
  'receiver-paused',
  'forbidden_counter_party_point_by_options',
  'user-not-found',
  'organization-group-not-found',
  'organization-not-confirmed',
] as const satisfies readonly Alias[]

export const changeSteps = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/steps',
  access: 'member',
  summary:
    'Change the steps of a running request where nobody is asked yet; its author may, if they may make routes',
  input: z.extend(OfRequest, {
    points: StepsAhead,
    /** The reason of the change; the people of the sender read it. */
    comment: paragraphs(longestComment).check(z.minLength(1, 'required')),
    /** The version that the client changed; required, because the list replaces all steps ahead. */
    currentVersion: Version,
    /** Chosen by the client, so that a repeated call is idempotent and changes the steps once. */
    key: z.optional(Id),
  }),
  result: SigningRequest,
  refusals: [
    'signing-request-not-found',
    'request-changed',
    'wrong-request-status',
    'wrong-request-configuration',
    'not-enough-permissions',
    'signature-being-checked',
    'document-is-on-signing-process',
    'step-already-reached',
    'nobody-left-to-sign',
    'steps-unchanged',
    'too-many-points',
    'too-many-corrections',
    ...addingRefusals,
  ],
})

/** Saves nothing: lists the first refusal, and what the change would mean for people. */
export const trySteps = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/steps-trial',
  access: 'member',
  summary: 'What a change of the steps ahead would do, without doing it',
  input: z.extend(OfRequest, { points: StepsAhead }),
  result: z.object({
    refusals: z.array(z.object({ alias: z.string(), parameters: z.record(z.string(), z.unknown()) })),
    /** Steps by name, in their order. */
    added: z.array(z.string()),
    removed: z.array(z.string()),
    /** Whether remaining steps come in a different order. */
    isReordered: z.boolean(),
    /** People of the sender who see the request now, but would not after the change. */
    leaving: z.array(z.string()),
    /** Whether nobody would be left to sign, so that the document would count as signed at once. */
    isSigned: z.boolean(),
  }),
  refusals: ['signing-request-not-found'],
})

export const downloadRevision = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/revisions/:revision',
  access: 'party',
  summary: 'An earlier document of a request that was corrected, byte for byte',
  givesFile: true,
  input: z.extend(OfRequest, { revision: VersionInPath }),
  result: Nothing,
  refusals: [
    'signing-request-not-found',
    'signing-request-access-failure',
    'file-not-found',
    'outdated-document',
    'file-storage-error',
  ],
})
