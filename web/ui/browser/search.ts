import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { isTwelveDigits } from '@kelisim/domain/numbers.ts'

/** The search parameters of any address, including those of lists. */
export type Search = {
  organizationId?: string
  page?: number | undefined
  take?: number | undefined
  name?: string | undefined
  /** The key of the column by which the list is sorted; a leading minus means descending. */
  sort?: string | undefined
  /** Filters of the lists of requests (web/requests/lists/list-filters.ts). */
  status?: number | undefined
  signedStatus?: number | undefined
  ownScope?: number | undefined
  author?: string | undefined
  bin?: string | undefined
  classificatorId?: string | undefined
  number?: string | undefined
  journalId?: string | undefined
  from?: string | undefined
  to?: string | undefined
  isOverdue?: boolean | undefined
  /** Sending: the request that is corrected and sent again. */
  follows?: string | undefined
  /** Sending a package: its first documents, separated by commas. */
  documents?: string | undefined
  /** The files that are compared (domain/comparison/compared-file.ts). */
  before?: string | undefined
  after?: string | undefined
  /** The page of comparisons: the files are opened by the person's own numbers instead of the organisation. */
  own?: boolean | undefined
  /** The New document button: open the list with the upload dialog. */
  upload?: boolean
  changeAccount?: boolean
  returnUri?: string
}

const day = /^\d{4}-\d{2}-\d{2}$/
const comparedFile = /^(?:document|request|proposal)\.[\da-f.-]+$/i
/** Only a rough check: the server refuses what is no id after all, so that the person is told. */
const id = /^[\da-f-]{36}$/i
const shapes = [
  ['author', /./],
  ['bin', { test: isTwelveDigits }],
  ['classificatorId', id],
  ['number', /./],
  ['journalId', id],
  ['follows', id],
  ['documents', /^[\da-f-]{36}(?:,[\da-f-]{36})*$/i],
  ['before', comparedFile],
  ['after', comparedFile],
  ['from', day],
  ['to', day],
] as const

export function searchOf(raw: Record<string, unknown>): Search {
  const search: Search = {}
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
  const number = (value: unknown) =>
    Number.isInteger(Number(value)) && Number(value) > 0 ? Number(value) : undefined
  if (text(raw['organizationId'])) search.organizationId = text(raw['organizationId'])
  const page = number(raw['page'])
  if (page) search.page = page
  const take = number(raw['take'])
  if (take && take <= 100) search.take = take
  if (text(raw['name'])) search.name = text(raw['name'])
  if (/^-?[a-z]+$/i.test(text(raw['sort']))) search.sort = text(raw['sort'])
  for (const name of ['status', 'signedStatus', 'ownScope'] as const) {
    const mask = number(raw[name])
    if (mask) search[name] = mask
  }
  for (const [name, shape] of shapes) {
    const value = text(raw[name])
    if (shape.test(value)) search[name] = value
  }
  if (String(raw['isOverdue']) === 'true') search.isOverdue = true
  if (raw['own'] !== undefined) search.own = true
  if (raw['upload'] !== undefined) search.upload = true
  if (raw['changeAccount'] !== undefined) search.changeAccount = true
  if (text(raw['returnUri'])) search.returnUri = text(raw['returnUri'])
  return search
}

/**
 * Parses only texts in quotes. Everything else stays as it is written, for `searchOf` to read: parsed as JSON, the name
 * 70e02811 would become Infinity, and 1.10 become 1.1.
 */
function parseText(value: string): string {
  const parsed: unknown = JSON.parse(value)
  if (typeof parsed === 'string') return parsed
  throw new SyntaxError('Only a text in quotes is parsed')
}

/**
 * Earlier versions wrote `name="114"`, so quotes around a text are removed; a text that has quotes itself is therefore
 * written in further quotes.
 */
export const parseSearch = parseSearchWith(parseText)
export const stringifySearch = stringifySearchWith(JSON.stringify, parseText)
