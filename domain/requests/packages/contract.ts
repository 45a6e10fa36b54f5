/**
 * Several documents in one package: each is a request of its own, sent at once and answered at once (decision 093).
 */
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { Id, OfOrganization, paragraphs, requiredLine, Version } from '../../fields.ts'
import { TypedFacts } from '../../routes/condition-contract.ts'
import {
  answerRefusals,
  longestComment,
  longestRequestName,
  pointActs,
  Sent,
  sendingRefusals,
  Signature,
  SigningRequest,
} from '../contract.ts'
import { mostInPackage } from '../parts.ts'

const { documentId, name, kindId, signingRequestId: _, followsId: __, ...common } = Sent.shape

export const createPackage = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/packages',
  access: 'member',
  summary: 'Send several documents along one route, all or none of them',
  input: z.extend(OfOrganization, {
    ...common,
    /** Chosen by the client, so that a repeated call is idempotent and sends one package. */
    packageId: z.optional(Id),
    /** What the package is called. */
    name: requiredLine(longestRequestName),
    /** The documents are decided together: nobody answers for one of them alone. */
    isTogether: z._default(z.boolean(), false),
    documents: z.array(z.object({ documentId, name, kindId })).check(
      z.minLength(2, 'too-few-documents'),
      z.maxLength(mostInPackage, 'too-many-documents'),
      z.refine((all) => new Set(all.map((one) => one.documentId)).size === all.length, 'repeated-document'),
    ),
    routeId: Id,
    /** The version of the route that the sender saw. */
    routeVersion: z.optional(Version),
    /** The facts for the conditions of the route. */
    facts: z.optional(TypedFacts),
  }),
  result: z.object({ packageId: Id, requests: z.array(SigningRequest) }),
  refusals: [...sendingRefusals, 'package-signed-inside', 'package-not-found', 'sent-before'],
})

/** All or none: if one document cannot be answered now, the whole call is refused. */
export const actOnPackage = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/packages/:packageId/:action',
  access: 'party',
  summary: 'Sign, approve, confirm or reject several documents of a package at once',
  input: z
    .extend(OfOrganization, {
      packageId: Id,
      action: z.enum(pointActs),
      comment: z._default(paragraphs(longestComment), ''),
      documents: z
        .array(
          z.object({
            signingRequestId: Id,
            pointId: Id,
            /** The revision of the document that the caller saw. */
            revision: Version,
            /** Chosen by the client, so that a repeated call is idempotent and acts once. */
            key: z.optional(Id),
            signature: z.optional(Signature),
            timestampedSignature: z.optional(Signature),
          }),
        )
        .check(
          z.minLength(1, 'required'),
          z.maxLength(mostInPackage, 'too-many-documents'),
          z.refine(
            (all) => new Set(all.map((one) => one.signingRequestId)).size === all.length,
            'repeated-document',
          ),
        ),
    })
    .check(
      z.refine(({ action, comment }) => action !== 'reject' || comment !== '', {
        path: ['comment'],
        error: 'required',
      }),
      z.refine(
        ({ action, documents }) =>
          action !== 'sign' || documents.every(({ signature }) => signature !== undefined),
        { path: ['documents'], error: 'required' },
      ),
    ),
  result: z.object({ requests: z.array(SigningRequest) }),
  refusals: [...answerRefusals, 'package-not-found'],
})
