/**
 * What a program has to know for sending: routes, groups, templates with their variables, counterparties
 * (docs/product/integration.md#w-09).
 */
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { CheckedNumber, Id, listOf, Page } from '../../fields.ts'
import { getContractor } from '../../points/contract.ts'
import { pointTypes } from '../../points/point-types.ts'
import { variableKinds } from '../../rich-text/variables.ts'

const reading = { method: 'GET', access: 'program', scope: 'documents.read' } as const

const paged = {
  skip: z._default(Page.shape.skip.check(z.maximum(10_000)), 0),
  take: z._default(Page.shape.take, 100),
}

export const getProgramRoutes = endpoint({
  ...reading,
  path: '/api/v1/routes',
  summary: 'The active routes along which the member may send',
  input: z.object(paged),
  result: listOf(z.object({ id: Id, name: z.string(), description: z.string(), version: z.int() })),
  refusals: [],
})

export const getProgramTemplates = endpoint({
  ...reading,
  path: '/api/v1/templates',
  summary: 'The templates of documents that the member may use',
  input: z.object(paged),
  result: listOf(z.object({ id: Id, name: z.string(), description: z.string() })),
  refusals: [],
})

export const getProgramTemplate = endpoint({
  ...reading,
  path: '/api/v1/templates/:templateId',
  summary: 'One template with its variables',
  input: z.object({ templateId: Id }),
  result: z.object({
    id: Id,
    name: z.string(),
    description: z.string(),
    variables: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(variableKinds),
        /** The value if none is given; empty: a value is required. */
        usual: z.string(),
      }),
    ),
  }),
  refusals: ['document-template-not-found'],
})

export const getCounterparty = endpoint({
  ...reading,
  scope: 'counterparties.read',
  path: '/api/v1/counterparties/:bin',
  summary: 'Whose number it is, and what its organisation takes from others',
  perMinute: 120,
  input: z.object({ bin: CheckedNumber }),
  result: z.object({
    bin: z.string(),
    name: z.string(),
    isConfirmedHere: z.boolean(),
    /** The kinds of points that the counterparty accepts. */
    accepts: z.array(z.enum(pointTypes.names)),
  }),
  refusals: getContractor.refusals,
})
