/** Conditions of points in a route, as calls carry them (docs/product/routes.md#s-09). */
import * as z from 'zod/mini'
import { Id, line, requiredLine, TwelveDigits } from '../fields.ts'
import { OnePointType } from '../points/point-types.ts'
import { longestValue, longestVariableName } from '../rich-text/variables.ts'
import { joins, largestAmount, mostChoices, mostTerms, verdicts } from './condition.ts'

const longestName = 250
const Amount = z.number().check(z.minimum(0), z.maximum(largestAmount))
const VariableName = requiredLine(longestVariableName)
const isOrNot = z.enum(['is', 'isNot'])

function choices<S extends z.ZodMiniType>(one: S) {
  return z.array(one).check(z.minLength(1, 'required'), z.maxLength(mostChoices))
}

const Kind = z.object({ id: Id, name: line(longestName) })

const Term = z.discriminatedUnion('subject', [
  z.object({ subject: z.literal('kind'), test: isOrNot, kinds: choices(Kind) }),
  z.object({
    subject: z.literal('counterparty'),
    test: isOrNot,
    counterparties: choices(z.object({ bin: TwelveDigits, name: line(longestName) })),
  }),
  /** In tenge. */
  z.object({ subject: z.literal('amount'), test: z.enum(['over', 'upTo']), amount: Amount }),
  z.object({
    subject: z.literal('variable'),
    test: z.enum(['is', 'isNot', 'over', 'upTo']),
    name: VariableName,
    value: requiredLine(longestValue),
  }),
])

/** When the point is taken; a point whose condition is surely not met is passed over. */
export const Condition = z.object({
  join: z.enum(joins),
  terms: z.array(Term).check(z.minLength(1, 'required'), z.maxLength(mostTerms)),
})

export const OneVerdict = z.enum(verdicts)

/** What a sender says of a document for the conditions of a route; what the document itself says counts before it. */
export const TypedFacts = z.object({
  amount: z._default(z.nullable(Amount), null),
  variables: z._default(z.record(VariableName, z.string().check(z.maxLength(longestValue, 'too-long'))), {}),
})

/** What was known of a document. */
export const KnownFacts = z.object({
  kind: z.nullable(Kind),
  amount: z.nullable(z.number()),
  variables: z.record(z.string(), z.string()),
  /** The numbers of the other sides. */
  counterparties: z.array(z.string()),
})

/** What decided, when a request was sent, about the points of its route that have a condition. */
export const RequestConditions = z.object({
  facts: KnownFacts,
  points: z.array(
    z.object({
      pointId: Id,
      order: z.int(),
      name: z.string(),
      type: OnePointType,
      organizationName: z.string(),
      condition: Condition,
      /** `notMet`: it was passed over. `unknown`: it was taken, because nothing was known. */
      verdict: OneVerdict,
    }),
  ),
})

export type StoredConditions = z.output<typeof RequestConditions>
