/**
 * Certificate policies (RFC 5280, 6.1), kept as the graph of RFC 9618 instead of the tree: the tree of a hostile path
 * grows exponentially, the graph only with the content of the certificates.
 */
import { elements, finish, inside, MalformedError, primitive, read, tags, takeIf } from '../asn1/read.ts'
import { oidOf, smallInteger, takeOid } from '../asn1/values.ts'
import { extensionOids, type Certificate } from './certificate.ts'

export const anyPolicy = '2.5.29.32.0'

/** The initial settings; nothing is required by default. */
export type PolicyDemands = {
  /** Policies acceptable to the caller; any if left out. */
  acceptable?: readonly string[]
  requireExplicit?: boolean
  inhibitMapping?: boolean
  inhibitAny?: boolean
}

/** The policies for which the path so far is valid. */
export type PolicyState = {
  /** Rows of the graph from the anchor down, or null where no policy is left. */
  rows: PolicyRow[] | null
  /**
   * How many certificates may follow until a policy must be stated, until mappings stop working, and until anyPolicy
   * stops working.
   */
  explicitIn: number
  mappingsFor: number
  anyFor: number
}

/** Nodes of one depth by their policies. */
type PolicyRow = Map<string, PolicyNode>
type PolicyNode = { policy: string; expected: ReadonlySet<string>; parents: PolicyNode[] }

/** For a path with this many certificates below the anchor. */
export function startPolicies(length: number, demands: PolicyDemands): PolicyState {
  const row: PolicyRow = new Map([[anyPolicy, node(anyPolicy, [])]])
  return {
    rows: [row],
    explicitIn: demands.requireExplicit ? 0 : length + 1,
    mappingsFor: demands.inhibitMapping ? 0 : length + 1,
    anyFor: demands.inhibitAny ? 0 : length + 1,
  }
}

/** 6.1.3 (d) to (f): false where a policy must be stated and none is left. */
export function takePolicies(state: PolicyState, certificate: Certificate, mayUseAny: boolean): boolean {
  const stated = readPolicies(certificate)
  const above = state.rows?.at(-1)
  if (!stated || !state.rows || !above) state.rows = null
  else {
    const row = nextRow(above, stated, state.anyFor > 0 || mayUseAny)
    state.rows = row.size > 0 ? [...state.rows, row] : null
  }
  return state.explicitIn > 0 || state.rows !== null
}

function nextRow(above: PolicyRow, stated: ReadonlySet<string>, isAnyUsable: boolean): PolicyRow {
  const expecting = expectedIn(above)
  const any = above.get(anyPolicy)
  const row: PolicyRow = new Map()
  for (const policy of stated) {
    if (policy === anyPolicy) continue
    const parents = expecting.get(policy) ?? (any && [any])
    if (parents) row.set(policy, node(policy, parents))
  }
  if (stated.has(anyPolicy) && isAnyUsable) {
    for (const [policy, parents] of expecting) if (!row.has(policy)) row.set(policy, node(policy, parents))
  }
  return row
}

/** For each policy, the nodes that expect it below them. */
function expectedIn(row: PolicyRow): Map<string, PolicyNode[]> {
  const expecting = new Map<string, PolicyNode[]>()
  for (const above of row.values()) {
    for (const policy of above.expected) {
      const nodes = expecting.get(policy)
      if (nodes) nodes.push(above)
      else expecting.set(policy, [above])
    }
  }
  return expecting
}

/** 6.1.4 (a), (b), (h) to (j), before the next certificate; false where anyPolicy is mapped, which is forbidden. */
export function preparePolicies(
  state: PolicyState,
  certificate: Certificate,
  isSelfIssued: boolean,
): boolean {
  const mappings = readMappings(certificate)
  if (mappings.has(anyPolicy) || [...mappings.values()].some((mapped) => mapped.has(anyPolicy))) return false
  if (state.rows) applyMappings(state, state.rows, mappings)
  if (!isSelfIssued) {
    state.explicitIn = Math.max(state.explicitIn - 1, 0)
    state.mappingsFor = Math.max(state.mappingsFor - 1, 0)
    state.anyFor = Math.max(state.anyFor - 1, 0)
  }
  const { requireExplicit, inhibitMapping } = readPolicyConstraints(certificate)
  state.explicitIn = Math.min(state.explicitIn, requireExplicit ?? Infinity)
  state.mappingsFor = Math.min(state.mappingsFor, inhibitMapping ?? Infinity)
  state.anyFor = Math.min(state.anyFor, readInhibitAny(certificate) ?? Infinity)
  return true
}

function applyMappings(
  state: PolicyState,
  rows: readonly PolicyRow[],
  mappings: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  const row = rows.at(-1)!
  const anyAbove = rows.at(-2)?.get(anyPolicy)
  for (const [policy, expected] of mappings) {
    const known = row.get(policy)
    if (state.mappingsFor === 0) row.delete(policy)
    else if (known) known.expected = expected
    else if (row.has(anyPolicy) && anyAbove) row.set(policy, { policy, expected, parents: [anyAbove] })
  }
  if (row.size === 0) state.rows = null
}

/**
 * 6.1.5: the policies of the anchor's domain that the caller accepts and the whole path supports; null where one must
 * be stated and there is none.
 */
export function finishPolicies(
  state: PolicyState,
  certificate: Certificate,
  demands: PolicyDemands,
): string[] | null {
  const { requireExplicit } = readPolicyConstraints(certificate)
  const explicitIn = requireExplicit === 0 ? 0 : Math.max(state.explicitIn - 1, 0)
  const authorised = state.rows ? authorisedBy(state.rows.at(-1)!) : new Set<string>()
  const { acceptable } = demands
  const accepted =
    !acceptable || acceptable.includes(anyPolicy)
      ? [...authorised]
      : authorised.has(anyPolicy)
        ? [...acceptable]
        : acceptable.filter((policy) => authorised.has(policy))
  return explicitIn > 0 || accepted.length > 0 ? accepted : null
}

/** The policies in the anchor's terms: of nodes directly below anyPolicy, from which a path leads to the last row. */
function authorisedBy(lastRow: PolicyRow): Set<string> {
  const authorised = new Set<string>()
  const seen = new Set<PolicyNode>()
  const waiting = [...lastRow.values()]
  if (lastRow.has(anyPolicy)) authorised.add(anyPolicy)
  for (let current = waiting.pop(); current; current = waiting.pop()) {
    if (seen.has(current)) continue
    seen.add(current)
    const isBelowAny = current.parents.some(({ policy }) => policy === anyPolicy)
    if (isBelowAny && current.policy !== anyPolicy) authorised.add(current.policy)
    waiting.push(...current.parents)
  }
  return authorised
}

function node(policy: string, parents: PolicyNode[]): PolicyNode {
  return { policy, expected: new Set([policy]), parents }
}

/** Null where the certificate states none. */
export function readPolicies({ extensions }: Certificate): Set<string> | null {
  const extension = extensions.get(extensionOids.certificatePolicies)
  if (!extension) return null
  const policies = new Set<string>()
  for (const item of elements(read(extension.value, tags.sequence))) {
    if (item.tag !== tags.sequence) throw new MalformedError('Not a policy')
    const fields = inside(item)
    const policy = takeOid(fields)
    takeIf(fields, tags.sequence)
    finish(fields)
    if (policies.has(policy)) throw new MalformedError('A policy stated twice')
    policies.add(policy)
  }
  if (policies.size === 0) throw new MalformedError('Policies of nothing')
  return policies
}

/** Maps each policy of the issuer's domain to the policies of the subject's domain. */
function readMappings({ extensions }: Certificate): Map<string, Set<string>> {
  const mappings = new Map<string, Set<string>>()
  const extension = extensions.get(extensionOids.policyMappings)
  if (!extension) return mappings
  for (const item of elements(read(extension.value, tags.sequence))) {
    const [from, to, ...rest] = elements(item)
    if (item.tag !== tags.sequence || from?.tag !== tags.oid || to?.tag !== tags.oid || rest.length > 0) {
      throw new MalformedError('Not a mapping of policies')
    }
    const policy = oidOf(from.content)
    const mapped = mappings.get(policy) ?? new Set()
    mappings.set(policy, mapped.add(oidOf(to.content)))
  }
  return mappings
}

function readPolicyConstraints({ extensions }: Certificate) {
  const extension = extensions.get(extensionOids.policyConstraints)
  if (!extension) return { requireExplicit: null, inhibitMapping: null }
  const fields = inside(read(extension.value, tags.sequence))
  const requireExplicit = takeIf(fields, primitive(0))
  const inhibitMapping = takeIf(fields, primitive(1))
  finish(fields)
  return {
    requireExplicit: requireExplicit && smallInteger(requireExplicit),
    inhibitMapping: inhibitMapping && smallInteger(inhibitMapping),
  }
}

function readInhibitAny({ extensions }: Certificate): number | null {
  const extension = extensions.get(extensionOids.inhibitAnyPolicy)
  return extension ? smallInteger(read(extension.value, tags.integer)) : null
}
