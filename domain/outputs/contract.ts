/** Files that are generated from a request (docs/product/outputs.md). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import type { Alias } from '../errors.ts'
import { Id, Moment, Nothing } from '../fields.ts'
import { OfRequest } from '../requests/contract.ts'
import { processKinds } from '../requests/status.ts'

/**
 * `printable`: the document with its signatures, for print; `terminating`: the same for the terminating document;
 * `report`: the history of the request; `evidence`: everything that a court would need, in one archive.
 */
export const outputKinds = ['printable', 'terminating', 'report', 'evidence'] as const
export type OutputKind = (typeof outputKinds)[number]

/**
 *   none ──ask──▶ in-process ──▶ ready ──the request or its settings change──▶ none
 *                     │  ▲
 *                     ▼  │ ask again
 *                   failed
 */
export const OutputView = z.object({
  kind: z.enum(outputKinds),
  state: z.enum(['none', 'in-process', 'ready', 'failed']),
  /** The alias of the refusal for which generating failed. */
  failure: z.nullable(z.string()),
  madeAt: z.nullable(Moment),
  fileName: z.string(),
})

export const getOutputs = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/outputs',
  access: 'party',
  summary: 'What can be made of a request for the caller, and how far it is',
  input: OfRequest,
  result: z.object({
    outputs: z.array(OutputView),
    /** Whether the format cannot be printed with signatures. */
    isPrintUnsupported: z.boolean(),
    /** Until when the archive proves all signatures, and from when the proof is renewed; null: not archived yet. */
    proof: z.nullable(z.object({ holdsUntil: Moment, renewedFrom: Moment })),
  }),
  refusals: ['signing-request-not-found', 'signing-request-access-failure'],
})

const refusals = [
  'signing-request-not-found',
  'signing-request-access-failure',
  'signed-signing-document-not-found',
  'signed-terminating-document-not-found',
  'print-format-not-supported',
  'signing-report-not-allowed',
  'signing-report-not-found',
  'evidence-not-found',
] as const satisfies readonly Alias[]

/** The request is in the body for all three calls. */
const Asked = z.object({ organizationId: Id, signingRequestId: Id })

export const generateSignedDocument = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/generateSignedDocument',
  access: 'party',
  summary: 'Have the printable document made; asked again, it is made once',
  perMinute: 30,
  input: z.extend(Asked, {
    /** The process: the document, or the terminating document. */
    associationType: z._default(z.literal([0, ...Object.values(processKinds)]), 0),
  }),
  result: OutputView,
  refusals,
})

export const generateSigningReport = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/generateSigningReport',
  access: 'party',
  summary: 'Have the signing report made; asked again, it is made once',
  perMinute: 30,
  input: Asked,
  result: OutputView,
  refusals,
})

export const generateEvidence = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/generateEvidence',
  access: 'party',
  summary: 'Have the evidence bundle made; asked again, it is made once',
  perMinute: 30,
  input: Asked,
  result: OutputView,
  refusals,
})

export const downloadOutput = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/outputs/:kind',
  access: 'party',
  summary: 'What was made, byte for byte',
  givesFile: true,
  perMinute: 60,
  input: z.extend(OfRequest, { kind: z.enum(outputKinds) }),
  result: Nothing,
  refusals: [
    ...refusals,
    'generation-in-progress',
    'generation-failure',
    'file-not-found',
    'outdated-document',
    'file-storage-error',
  ],
})
