/** The command line of `npm run -s verify`. */
import type { PolicyDemands } from '@kelisim/signature/certificates/policies.ts'

export type Arguments =
  | ({ mode: 'signature'; signature: string; more: string[]; content: string | null } & Common)
  | ({ mode: 'certificate'; certificate: string } & Common)
  | ({ mode: 'record'; record: string; content: string[] } & Common)
  | { mode: 'manifest'; manifest: string }
  | {
      mode: 'checkpoint'
      checkpoint: string
      keys: string[]
      witnesses: string[]
      /** Undefined: all witnesses. */
      quorum: number | undefined
      at: Date
    }
  | ({
      mode: 'bundle'
      bundle: string
      logKeys: string[]
      witnesses: string[]
      quorum: number | undefined
    } & Pick<Common, 'roots' | 'certs' | 'at'>)

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

/** Wrong arguments: the message is shown together with the usage. */
export class UsageError extends Error {}

export const usage = `npm run -s verify -- [--content FILE] --roots PATH… [--certs PATH…] [--crl FILE…] [--ocsp FILE…]
                     [--at TIME] [--no-revocation] [--online] SIGNATURE [FILE…]
npm run -s verify -- --certificate FILE --roots PATH… [--certs PATH…] [--crl FILE…] [--ocsp FILE…]
                     [--at TIME] [--no-revocation] [--online]
                     [--policy OID…] [--explicit-policy] [--inhibit-mapping] [--inhibit-any-policy]
npm run -s verify -- --bundle FILE [--roots PATH…] [--certs PATH…] [--log-key FILE…]
                     [--witness VKEY… [--quorum N]] [--at TIME]
npm run -s verify -- --checkpoint FILE --key VKEY… [--witness VKEY… [--quorum N]] [--at TIME]
npm run -s verify -- --evidence-record FILE --content FILE… [--roots PATH…] [--certs PATH…] [--crl FILE…] [--ocsp FILE…]
                     [--at TIME] [--no-revocation] [--online]
npm run -s verify -- --manifest DIR/manifest.json

SIGNATURE is a CMS (DER, PEM or base64), a signed PDF or XML, or a file that contains such: an archive (.zip), an e-mail (.eml), a
document card (PDF with its original and its signatures attached). Several files are matched to each other by their content. PATH is a file (DER or PEM) or a folder of such files. TIME is as in 2026-06-01T00:00:00Z; now where it is not given.
An evidence bundle brings its evidence; --log-key are the public keys of logs as they are known from elsewhere (PEM or DER).
Without them nothing proves the bundle's history: the result is indeterminate.
An evidence record (RFC 4998 or RFC 6283) has to cover every file of --content.
A checkpoint is a signed head of a log (c2sp.org/tlog-checkpoint). VKEY is name+id+base64, or a file with one on each line; N of
the witnesses have to have co-signed, all of them where --quorum is not given.
Revocation is judged by what --crl and --ocsp give and what the signature carries; --online asks the centre's services.
Exit: 0 passed, 1 failed, 2 indeterminate, 64 wrong usage.`

const lists = [
  '--roots',
  '--certs',
  '--crl',
  '--ocsp',
  '--policy',
  '--log-key',
  '--key',
  '--witness',
] as const
const singles = [
  '--content',
  '--certificate',
  '--manifest',
  '--at',
  '--bundle',
  '--checkpoint',
  '--quorum',
  '--evidence-record',
] as const
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
  const { listOf, manyOf, single, has, rest } = collect(args)
  const manifest = single('--manifest')
  if (manifest !== null) {
    if (args.length !== 2) throw new UsageError('--manifest stands alone')
    return { mode: 'manifest', manifest }
  }
  const bundle = single('--bundle')
  const logKeys = listOf('--log-key')
  if (bundle !== null) {
    const known = ['--bundle', '--log-key', '--witness', '--quorum', '--roots', '--certs', '--at']
    const other = args.find((arg) => arg.startsWith('--') && !known.includes(arg)) ?? rest[0]
    if (other !== undefined) throw new UsageError(`--bundle takes no ${other}`)
    const at = timeOf(single('--at'), now)
    return {
      mode: 'bundle',
      bundle,
      logKeys,
      witnesses: listOf('--witness'),
      quorum: quorumOf(single('--quorum')),
      roots: listOf('--roots'),
      certs: listOf('--certs'),
      at,
    }
  }
  const checkpoint = single('--checkpoint')
  if (checkpoint !== null) {
    const known = ['--checkpoint', '--key', '--witness', '--quorum', '--at']
    const other = args.find((arg) => arg.startsWith('--') && !known.includes(arg)) ?? rest[0]
    if (other !== undefined) throw new UsageError(`--checkpoint takes no ${other}`)
    const keys = listOf('--key')
    if (keys.length === 0) throw new UsageError('--key is missing: which log is trusted must be said')
    const quorum = quorumOf(single('--quorum'))
    const at = timeOf(single('--at'), now)
    return { mode: 'checkpoint', checkpoint, keys, witnesses: listOf('--witness'), quorum, at }
  }
  for (const one of ['--key', '--witness'] as const) {
    if (listOf(one).length > 0) throw new UsageError(`${one} belongs to --checkpoint or --bundle`)
  }
  if (single('--quorum') !== null) throw new UsageError('--quorum belongs to --checkpoint or --bundle')
  if (logKeys.length > 0) throw new UsageError('--log-key belongs to --bundle')
  const certificate = single('--certificate')
  const record = single('--evidence-record')
  const content = record === null ? single('--content') : null
  const signatures = [...rest]
  // `--roots A B SIGNATURE`: the last one is the signature
  if (certificate === null && record === null && signatures.length === 0)
    signatures.push(...lastOfList(args, listOf))
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
  if (record !== null) {
    const [other] = signatures
    if (certificate !== null || other !== undefined)
      throw new UsageError('--evidence-record takes the files of --content and no others')
    return { mode: 'record', record, content: manyOf('--content'), ...common }
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
  // an evidence record may be of several documents
  const isOne = (option: string) =>
    singles.some((one) => one === option) && !(option === '--content' && args.includes('--evidence-record'))
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
      if (isOne(current)) current = null
    }
  }
  for (const option of seen) {
    const isFlag = flags.some((flag) => flag === option)
    if (!isFlag && !values[option]) throw new UsageError(`${option} is given nothing`)
  }
  return {
    rest,
    listOf: (name: List) => values[name] ?? [],
    manyOf: (name: Single) => values[name] ?? [],
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

function quorumOf(text: string | null): number | undefined {
  if (text === null) return undefined
  if (!/^\d{1,4}$/.test(text)) throw new UsageError(`Not a number of witnesses: ${text}`)
  return Number(text)
}

function timeOf(text: string | null, now: Date): Date {
  if (text === null) return now
  const time = new Date(text)
  const hasZone = /^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:?\d\d))?$/.test(text)
  if (Number.isNaN(time.getTime()) || !hasZone) throw new UsageError(`Not a time: ${text}`)
  return time
}
