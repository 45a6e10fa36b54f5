/** For tests: values for the calls of the OpenAPI document, valid by their schemas or not. */
import fc from 'fast-check'

export type JsonSchema = {
  type?: string
  format?: string
  pattern?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
}

/** Strings without a pattern are words that every rule for names accepts. */
const word = fc.constantFrom('Договор поставки', 'Келісім', 'Contract 7', 'а', '100% «проба»')
const day = fc.constantFrom('2026-11-15', '2026-12-31', '2027-01-01', '2024-02-29')

/** A value that is valid by everything the schema says. */
export function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return fc.oneof(...alternatives.map(fitting))
  switch (schema.type ?? 'any') {
    case 'string':
      return text(schema)
    case 'integer':
    case 'number':
      return fc.integer({
        min: Math.max(schema.minimum ?? 0, -1000),
        // A maximum may be a fraction; only whole numbers are generated.
        max: Math.max(schema.minimum ?? 0, Math.floor(Math.min(schema.maximum ?? 1000, 1000))),
      })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(fitting(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 3)),
      })
    case 'object':
      return object(schema)
    default:
      return fc.oneof(word, fc.integer(), fc.constant(null))
  }
}

function object({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, fitting(one)]))
  return fc.record(fields, { requiredKeys: required.filter((name) => name in fields) })
}

function text({ format, pattern, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid({ version: 7 })
  if (format === 'date') return day
  if (format === 'email') return fc.constantFrom('partner@example.kz', 'a@b.kz')
  // Patterns with a lookahead cannot be generated.
  if (pattern !== undefined && !pattern.includes('(?'))
    return fc.stringMatching(new RegExp(pattern), { size: 'small' })
  return word.map((one) => one.slice(0, maxLength))
}

/** Values that no caller should send, but somebody will. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '‮txt.exe',
    "' or 1=1 --",
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '%00',
    '{{7*7}}',
    'я'.repeat(5000),
    -1,
    0,
    1.5,
    2 ** 31,
    2 ** 53,
    1e308,
    true,
    [],
    {},
    [null],
    { $ne: null },
    { toString: 'x' },
    '0000-00-00',
    '2026-02-30',
    '99999-01-01',
    '__proto__',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }),
)
