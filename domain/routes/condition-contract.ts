/** Conditions of points in a route, in the form of calls (docs/product/routes.md#s-09). */
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

/** When the point is taken; a point whose condition is certainly not met is passed over. */
export const Condition = z.object({
  join: z.enum(joins),
  terms: z.array(Term).check(z.minLength(1, 'required'), z.maxLength(mostTerms)),
})

export const OneVerdict = z.enum(verdicts)

/** Facts that the sender states for the conditions of a route; facts from the document itself take precedence. */
export const TypedFacts = z.object({
  amount: z._default(z.nullable(Amount), null),
  variables: z._default(z.record(VariableName, z.string().check(z.maxLength(longestValue, 'too-long'))), {}),
})

/** The facts that were known of a document. */
export const KnownFacts = z.object({
  kind: z.nullable(Kind),
  amount: z.nullable(z.number()),
  variables: z.record(z.string(), z.string()),
  /** The numbers of the other sides. */
  counterparties: z.array(z.string()),
})

/** The facts and verdicts by which points with a condition were taken or passed over when a request was sent. */
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
      /** `notMet`: the point was passed over. `unknown`: it was taken, because the facts were not known. */
      verdict: OneVerdict,
    }),
  ),
})

export type StoredConditions = z.output<typeof RequestConditions>
