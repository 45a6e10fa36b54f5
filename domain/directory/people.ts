/** People and groups in the form of an organisation's directory (SCIM), and changes to them (RFC 7644, 3.5.2). */
import { looksLikeEmail } from '../email-address.ts'
import { pathOf, type Path } from './filter.ts'

/** A person of a directory; null: the directory says nothing about the attribute. */
export type DirectoryPerson = {
  userName: string
  externalId: string | null
  email: string | null
  givenName: string | null
  familyName: string | null
  displayName: string | null
  /** Undefined: unchanged. */
  isActive: boolean | undefined
}

export type DirectoryGroup = { displayName: string; externalId: string | null; members: readonly string[] }

export type Operation = { op: string; path?: string | null | undefined; value?: unknown }

const longest = 250

type ScimPerson = {
  userName: string
  externalId?: unknown
  displayName?: unknown
  name?: unknown
  emails?: unknown
  active?: unknown
}

/** The person of a call that creates or replaces one. */
export function personOf(told: ScimPerson): DirectoryPerson {
  const name = isObject(told.name) ? told.name : {}
  const person: DirectoryPerson = {
    userName: told.userName,
    externalId: lineOf(told.externalId),
    email: emailIn(told.emails),
    givenName: lineOf(name['givenName']),
    familyName: lineOf(name['familyName']),
    displayName: lineOf(told.displayName) ?? lineOf(name['formatted']),
    isActive: booleanOf(told.active),
  }
  return person
}

/** The e-mail address; if the directory gives none, the user name is used if it looks like one, as it often does. */
export function addressOf({ email, userName }: Pick<DirectoryPerson, 'email' | 'userName'>): string | null {
  const address = (email ?? userName).trim().toLowerCase()
  return looksLikeEmail(address) ? address : null
}

export function shownName({ displayName, givenName, familyName, userName }: DirectoryPerson): string {
  return displayName ?? (`${familyName ?? ''} ${givenName ?? ''}`.trim() || userName)
}

/** The group of a call that creates or replaces one; a missing list of members is an empty one. */
export function groupOf(told: {
  displayName: string
  externalId?: string | null | undefined
  members?: readonly { value: string }[] | null | undefined
}): DirectoryGroup {
  const members = (told.members ?? []).map(({ value }) => value.toLowerCase())
  return {
    displayName: told.displayName,
    externalId: lineOf(told.externalId),
    members: [...new Set(members)],
  }
}

/**
 * Null: an operation is not understood. Operations on attributes that are not stored, such as a department, do
 * nothing.
 */
export function changedPerson(
  person: DirectoryPerson,
  operations: readonly Operation[],
): DirectoryPerson | null {
  let changed: DirectoryPerson | null = person
  for (const each of operations) {
    const steps = stepsOf(each)
    if (!steps) return null
    for (const step of steps) changed = changed && personAfter(changed, step)
  }
  return changed
}

export function changedGroup(group: DirectoryGroup, operations: readonly Operation[]): DirectoryGroup | null {
  let changed: DirectoryGroup | null = group
  for (const each of operations) {
    const steps = stepsOf(each)
    if (!steps) return null
    for (const step of steps) changed = changed && groupAfter(changed, step)
  }
  return changed
}

/** The ids in a list of members; null: it is no such list. */
function memberIds(value: unknown): string[] | null {
  const list = Array.isArray(value) ? value : isObject(value) ? [value] : null
  if (!list) return null
  const ids = list.map((one: unknown) => (isObject(one) ? one['value'] : one))
  return ids.every((id) => typeof id === 'string') ? ids.map((id) => id.toLowerCase()) : null
}

const kinds = ['add', 'replace', 'remove'] as const
type Kind = (typeof kinds)[number]
type Step = { kind: Kind; path: Path; value: unknown }

/** Splits an operation into steps; without a path, each name in its value is a path. */
function stepsOf({ op, path, value }: Operation): Step[] | null {
  const kind = kinds.find((one) => one === op.toLowerCase())
  if (!kind) return null
  const named = path === undefined || path === null || path === '' ? null : path
  if (named === null && (kind === 'remove' || !isObject(value))) return null
  const pairs = named === null ? Object.entries(value as Record<string, unknown>) : [[named, value] as const]
  const steps = pairs.map(([text, given]) => {
    const parsed = pathOf(text)
    return parsed && { kind, path: parsed, value: given }
  })
  return steps.every((step) => step !== null) ? steps : null
}

function personAfter(person: DirectoryPerson, { kind, path, value }: Step): DirectoryPerson | null {
  const line = kind === 'remove' ? null : lineOf(value)
  switch (path.attribute) {
    case 'username':
      return line === null ? null : { ...person, userName: line }
    case 'externalid':
      return { ...person, externalId: line }
    case 'displayname':
    case 'name.formatted':
      return { ...person, displayName: line }
    case 'name.givenname':
      return { ...person, givenName: line }
    case 'name.familyname':
      return { ...person, familyName: line }
    case 'name': {
      const { givenName, familyName } = isObject(value) ? value : {}
      return { ...person, givenName: lineOf(givenName), familyName: lineOf(familyName) }
    }
    case 'active': {
      const isActive = kind === 'remove' ? false : booleanOf(value)
      return isActive === undefined ? null : { ...person, isActive }
    }
    case 'emails':
    case 'emails.value':
      return emailAfter(person, path, kind === 'remove' ? null : value)
    default:
      return person
  }
}

/** Only one address is stored: the one for work, or the only one. */
function emailAfter(person: DirectoryPerson, { chosen, part }: Path, value: unknown): DirectoryPerson {
  const isOther = chosen?.attribute === 'type' && chosen.value.toLowerCase() !== 'work'
  if (isOther || (part !== null && part !== 'value')) return person
  return { ...person, email: typeof value === 'string' ? lineOf(value) : emailIn(value) }
}

function groupAfter(group: DirectoryGroup, { kind, path, value }: Step): DirectoryGroup | null {
  const line = kind === 'remove' ? null : lineOf(value)
  switch (path.attribute) {
    case 'displayname':
      return line === null ? null : { ...group, displayName: line }
    case 'externalid':
      return { ...group, externalId: line }
    case 'members': {
      const members = membersAfter(group.members, kind, path, value)
      return members && { ...group, members }
    }
    default:
      return group
  }
}

function membersAfter(
  members: readonly string[],
  kind: Kind,
  { chosen }: Path,
  value: unknown,
): readonly string[] | null {
  if (chosen) {
    const isRemoval = kind === 'remove' && chosen.attribute === 'value'
    return isRemoval ? members.filter((id) => id !== chosen.value.toLowerCase()) : null
  }
  const isEverybody = kind === 'remove' && (value === undefined || value === null)
  if (isEverybody) return []
  const named = memberIds(value)
  if (!named) return null
  if (kind === 'replace') return [...new Set(named)]
  return kind === 'add' ? [...new Set([...members, ...named])] : members.filter((id) => !named.includes(id))
}

/** The primary address, else the one for work, else any. */
function emailIn(value: unknown): string | null {
  const list = (Array.isArray(value) ? value : [value]).filter(isObject)
  const best =
    list.find(({ primary }) => booleanOf(primary) === true) ??
    list.find(({ type }) => typeof type === 'string' && type.toLowerCase() === 'work') ??
    list[0]
  return lineOf(best?.['value'])
}

/** Some directories write "True" and "False". */
function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.trim().toLowerCase() : ''
  return text === 'true' ? true : text === 'false' ? false : undefined
}

function lineOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  // oxlint-disable-next-line no-control-regex -- no name contains these, and the database refuses a zero character
  const line = value
    .replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')
    .toWellFormed()
    .trim()
    .slice(0, longest)
  return line === '' ? null : line
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
