/** The command line of `npm run -s verify`. */
import type { PolicyDemands } from '@kelisim/signature/certificates/policies.ts'

export type Arguments =
  | ({ mode: 'signature'; signature: string; more: string[]; content: string | null } & Common)
  | ({ mode: 'certificate'; certificate: string } & Common)
  | { mode: 'manifest'; manifest: string }
  | ({ mode: 'bundle'; bundle: string; logKeys: string[] } & Pick<Common, 'roots' | 'certs' | 'at'>)

export type Common = {
  roots: string[]
  certs: string[]
  crl: string[]
  ocsp: string[]
  at: Date
  isOnline: boolean
  isRevocationChecked: boolean
  policies: PolicyDemands
}

/** Shows the person what is wrong, and the usage. */
export class UsageError extends Error {}

export const usage = `npm run -s verify -- [--content FILE] --roots PATH… [--certs PATH…] [--crl FILE…] [--ocsp FILE…]
                     [--at TIME] [--no-revocation] [--online] SIGNATURE [FILE…]
npm run -s verify -- --certificate FILE --roots PATH… [--certs PATH…] [--crl FILE…] [--ocsp FILE…]
                     [--at TIME] [--no-revocation] [--online]
                     [--policy OID…] [--explicit-policy] [--inhibit-mapping] [--inhibit-any-policy]
npm run -s verify -- --bundle FILE [--roots PATH…] [--certs PATH…] [--log-key FILE…] [--at TIME]
npm run -s verify -- --manifest DIR/manifest.json

SIGNATURE is a CMS (DER, PEM or base64), a signed PDF or XML, or a file that contains such: an archive (.zip), an e-mail (.eml), a
document card (PDF with its original and its signatures attached). Several files are matched to each other by their content. PATH is a file (DER or PEM) or a folder of such files. TIME is as in 2026-06-01T00:00:00Z; now where it is not given.
An evidence bundle brings its evidence; --log-key are the public keys of logs as they are known from elsewhere (PEM or DER).
Without them nothing proves the bundle's history: the result is indeterminate.
Revocation is judged by what --crl and --ocsp give and what the signature carries; --online asks the centre's services.
Exit: 0 passed, 1 failed, 2 indeterminate, 64 wrong usage.`

const lists = ['--roots', '--certs', '--crl', '--ocsp', '--policy', '--log-key'] as const
const singles = ['--content', '--certificate', '--manifest', '--at', '--bundle'] as const
const flags = [
  '--no-revocation',
  '--online',
  '--explicit-policy',
  '--inhibit-mapping',
  '--inhibit-any-policy',
] as const

type List = (typeof lists)[number]
type Single = (typeof singles)[number]
type Flag = (typeof flags)[number]

export function readArguments(args: readonly string[], now: Date): Arguments {
  const { listOf, single, has, rest } = collect(args)
  const manifest = single('--manifest')
  if (manifest !== null) {
    if (args.length !== 2) throw new UsageError('--manifest stands alone')
    return { mode: 'manifest', manifest }
  }
  const bundle = single('--bundle')
  const logKeys = listOf('--log-key')
  if (bundle !== null) {
    const known = ['--bundle', '--log-key', '--roots', '--certs', '--at']
    const other = args.find((arg) => arg.startsWith('--') && !known.includes(arg)) ?? rest[0]
    if (other !== undefined) throw new UsageError(`--bundle takes no ${other}`)
    const at = timeOf(single('--at'), now)
    return { mode: 'bundle', bundle, logKeys, roots: listOf('--roots'), certs: listOf('--certs'), at }
  }
  if (logKeys.length > 0) throw new UsageError('--log-key belongs to --bundle')
  const certificate = single('--certificate')
  const content = single('--content')
  const signatures = [...rest]
  // `--roots A B SIGNATURE`: the last one is the signature
  if (certificate === null && signatures.length === 0) signatures.push(...lastOfList(args, listOf))
  const common: Common = {
    roots: listOf('--roots'),
    certs: listOf('--certs'),
    crl: listOf('--crl'),
    ocsp: listOf('--ocsp'),
    at: timeOf(single('--at'), now),
    isOnline: has('--online'),
    isRevocationChecked: !has('--no-revocation'),
    policies: {
      ...(listOf('--policy').length > 0 && { acceptable: listOf('--policy') }),
      requireExplicit: has('--explicit-policy'),
      inhibitMapping: has('--inhibit-mapping'),
      inhibitAny: has('--inhibit-any-policy'),
    },
  }
  if (common.roots.length === 0) throw new UsageError('--roots is missing: what is trusted must be said')
  if (certificate !== null) {
    if (signatures.length > 0 || content !== null) throw new UsageError('--certificate takes no signature')
    return { mode: 'certificate', certificate, ...common }
  }
  const [signature, ...more] = signatures
  if (signature === undefined) throw new UsageError('There is no signature to verify')
  if (more.length > 0 && content !== null) throw new UsageError('There is more than one signature')
  return { mode: 'signature', signature, more, content, ...common }
}

function collect(args: readonly string[]) {
  const values: Record<string, string[]> = {}
  const seen = new Set<string>()
  const rest: string[] = []
  let current: string | null = null
  for (const arg of args) {
    if (arg.startsWith('--')) {
      if (![...lists, ...singles, ...flags].some((known) => known === arg)) {
        throw new UsageError(`There is no option ${arg}`)
      }
      seen.add(arg)
      current = flags.some((flag) => flag === arg) ? null : arg
    } else if (current === null) rest.push(arg)
    else {
      ;(values[current] ??= []).push(arg)
      if (singles.some((one) => one === current)) current = null
    }
  }
  for (const option of seen) {
    const isFlag = flags.some((flag) => flag === option)
    if (!isFlag && !values[option]) throw new UsageError(`${option} is given nothing`)
  }
  return {
    rest,
    listOf: (name: List) => values[name] ?? [],
    has: (name: Flag) => seen.has(name),
    single: (name: Single): string | null => {
      const [value, ...more] = values[name] ?? []
      if (more.length > 0) throw new UsageError(`${name} is given twice`)
      return value ?? null
    },
  }
}

function lastOfList(args: readonly string[], listOf: (name: List) => string[]): string[] {
  const name = args.findLast((arg) => arg.startsWith('--'))
  const list = lists.find((one) => one === name)
  const values = list ? listOf(list) : []
  return values.length > 1 ? [values.pop()!] : []
}

function timeOf(text: string | null, now: Date): Date {
  if (text === null) return now
  const time = new Date(text)
  const hasZone = /^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:?\d\d))?$/.test(text)
  if (Number.isNaN(time.getTime()) || !hasZone) throw new UsageError(`Not a time: ${text}`)
  return time
}
