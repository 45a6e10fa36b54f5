/** Programs send requests and hand in signatures (docs/product/integration.md#w-06). */
import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import { uuidOf } from '@kelisim/db/id.ts'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import { Refusal, refuse } from '@kelisim/domain/errors.ts'
import {
  addSignature,
  sendByRoute,
  sendFromTemplate,
  sendToRecipient,
  withdrawProgramRequest,
} from '@kelisim/domain/integration/calls/requests-contract.ts'
import { typeOf } from '@kelisim/domain/points/point-types.ts'
import {
  actAtPoint,
  createQuickRequest,
  createRequest,
  getRequest,
  revokeRequest,
} from '@kelisim/domain/requests/contract.ts'
import { getTemplate, writeDocument } from '@kelisim/domain/rich-text/contract.ts'
import { fillTemplate, variablesIn } from '@kelisim/domain/rich-text/fill.ts'
import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import type { SameHandlers } from '../http/same-handlers.ts'
import type { Call, Serve } from '../http/serve.ts'
import { findCard } from '../identity/core/card-queries.ts'
import { findRequest } from '../requests/core/state.ts'
import { programRequest } from './request-views.ts'
import { findActingName } from './token-queries.ts'

type CallOf<E extends Endpoint> = Call<'program', z.output<E['input']>>

type SentFields = {
  name: string
  description: string
  signingDate?: string | undefined
  expiresOn?: string | undefined
  isTimestampRequired: boolean
  classifierIds: string[]
  kindId?: string | undefined
}

export function sendingCalls(serve: Serve, same: SameHandlers): void {
  serve(sendByRoute, async (call) => {
    const { documentId, routeId, facts } = call.input
    const before = await sentBefore(call)
    if (before) return before
    return sentByRoute(call, call.input, { documentId, routeId, facts })
  })

  serve(sendToRecipient, async (call) => {
    const { documentId, ...fields } = call.input
    const before = await sentBefore(call)
    if (before) return before
    return sentToRecipient(call, fields, documentId, fields)
  })

  serve(sendFromTemplate, async (call) => {
    const { routeId, recipient, facts } = call.input
    const before = await sentBefore(call)
    if (before) return before
    const documentId = await documentFromTemplate(call)
    return recipient
      ? sentToRecipient(call, call.input, documentId, recipient)
      : sentByRoute(call, call.input, { documentId, routeId: routeId!, facts })
  })

  serve(withdrawProgramRequest, async (call) => {
    const { organizationId } = call.who.member
    const { requestId: signingRequestId, comment } = call.input
    const key = call.who.program.callId
    const view = await same.run(revokeRequest, call, { organizationId, signingRequestId, comment, key })
    return programRequest(view, organizationId)
  })

  serve(addSignature, async (call) => {
    const { organizationId } = call.who.member
    const { requestId: signingRequestId, pointId, ...signed } = call.input
    const { points } = await same.run(getRequest, call, { organizationId, signingRequestId })
    const point = points.find((one) => one.pointId === pointId) ?? refuse('point-not-found')
    const view = await same.run(actAtPoint, call, {
      ...signed,
      organizationId,
      signingRequestId,
      pointId,
      pointTypeName: typeOf(point.type)!,
      action: 'sign',
      key: call.who.program.callId,
    })
    return programRequest(view, organizationId)
  })

  /** Looked up first, because the template or document of a repeated call may have been changed or deleted since. */
  async function sentBefore(call: Call<'program', unknown>) {
    const { organizationId } = call.who.member
    const { callId: signingRequestId } = call.who.program
    if (!(await findRequest(call.db, signingRequestId))) return null
    const view = await same.run(getRequest, call, { organizationId, signingRequestId })
    return programRequest(view, organizationId)
  }

  async function sentByRoute(
    call: Call<'program', unknown>,
    fields: SentFields,
    along: Pick<z.input<typeof createRequest.input>, 'documentId' | 'routeId' | 'facts'>,
  ) {
    const view = await same.run(createRequest, call, { ...sentFields(call, fields), ...along })
    return programRequest(view, call.who.member.organizationId)
  }

  async function sentToRecipient(
    call: Call<'program', unknown>,
    fields: SentFields,
    documentId: string,
    to: {
      bin: string
      organizationName: string
      emails: string[]
      groupId?: string | undefined
      isForInformation: boolean
    },
  ) {
    const { bin, organizationName, emails, groupId, isForInformation } = to
    const recipient = { bin, organizationName, emails, groupId, isForInformation }
    const view = await same.run(createQuickRequest, call, {
      ...sentFields(call, fields),
      ...recipient,
      documentId,
    })
    return programRequest(view, call.who.member.organizationId)
  }

  /** Makes the document; a repeated call gets the same document, even on another day. */
  async function documentFromTemplate(call: CallOf<typeof sendFromTemplate>): Promise<string> {
    const { who, db, input } = call
    const { organizationId } = who.member
    const { callId, begunAt } = who.program
    const { template } = await same.run(getTemplate, call, { organizationId, templateId: input.templateId })
    refuseUnknown(Object.keys(input.values), template)
    const { shortName: organization, bin: organizationBin } = await findCard(db, organizationId)
    const author = await findActingName(db, who.userId)
    const facts = { organization, organizationBin, author, today: begunAt }
    const { id } = await same.run(writeDocument, call, {
      organizationId,
      templateId: input.templateId,
      htmlContent: fillTemplate(template, input.values, facts),
      fileName: input.fileName,
      description: '',
      visibilityScope: visibilityScopes.members.Private,
      documentId: derivedId(callId, 'document'),
    })
    return id
  }
}

/** The fields by the names that the calls of the browser use. */
function sentFields({ who }: Call<'program', unknown>, fields: SentFields) {
  const { name, description, signingDate, expiresOn, isTimestampRequired, classifierIds, kindId } = fields
  return {
    organizationId: who.member.organizationId,
    signingRequestId: who.program.callId,
    name,
    description,
    signingDate,
    expiresOn,
    isTimestampRequired,
    classificatorsV2: classifierIds,
    kindId,
  }
}

/**
 * Refuses unknown variables: a misspelt name would otherwise leave its variable with the default value, in a
 * contract.
 */
function refuseUnknown(names: readonly string[], template: string): void {
  const known = new Set(variablesIn(template).map(({ name }) => name))
  const fields = names
    .filter((name) => !known.has(name))
    .map((name) => ({ path: `values.${name}`, code: 'unknown-variable' }))
  if (fields.length > 0) throw new Refusal('validation-failure', { fields })
}

/** Derives a further id from that of the call (RFC 9562, version 8), for an object that the call makes on the way. */
function derivedId(callId: string, what: string): string {
  const bytes = createHash('sha256').update(`${callId} ${what}`).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return uuidOf(bytes)
}
