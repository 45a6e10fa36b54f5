/** The command line of `npm run -s centre`. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { RevocationReason } from '@kelisim/signature/revocation/reasons.ts'
import type { Which } from './centre.ts'
import { familyKinds } from './families.ts'
import { organizationRoles, type Order } from './order.ts'

/** Its message is shown to the person, with the usage. */
export class UsageError extends Error {}

export type Command = { folder: string } & (
  | { name: 'help' }
  | { name: 'serve'; port: number; host: string; address: string | undefined }
  | { name: 'issue'; order: Order; out: string }
  | { name: 'revoke'; which: Which; reason: RevocationReason }
  | { name: 'hold' | 'unhold'; which: Which }
  | { name: 'list'; isJson: boolean }
)

const reasons: readonly RevocationReason[] = [
  'unspecified',
  'keyCompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'privilegeWithdrawn',
]

export const usage = `A stand-in of the national certification centre, for trying out and for tests. Its keys are worth nothing.

npm run -s centre -- serve [--port 3310] [--host 127.0.0.1] [--address URL]
npm run -s centre -- issue --surname NAME --first-name NAME [--patronymic NAME] --iin DIGITS [--email ADDRESS]
                           [--organization NAME --bin DIGITS --role ROLE] --password PASSWORD
                           [--kind KIND] [--use signature|authentication]
                           [--not-before TIME] [--not-after TIME] [--out FOLDER]
npm run -s centre -- revoke SERIAL|KEY-ID [--reason REASON]
npm run -s centre -- hold|unhold SERIAL|KEY-ID
npm run -s centre -- list [--json]

KIND    ${familyKinds.join(', ')} (the first one, if not said)
ROLE    ${organizationRoles.join(', ')}
REASON  ${reasons.join(', ')}
TIME    as in 2026-06-01T00:00:00Z
URL     goes into the certificates, where others reach the centre by another address

Everywhere: --folder FOLDER, where the centre keeps its keys (DATA_DIR/certification-centre, if not said). What is
issued or revoked counts at once in a centre that is running. Keys are written to FOLDER/people, if --out does not say
otherwise, for their owner's eyes only; the path is printed.
Exit: 0 done, 1 refused, 64 wrong usage.`

const options = {
  folder: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  address: { type: 'string' },
  surname: { type: 'string' },
  'first-name': { type: 'string' },
  patronymic: { type: 'string' },
  iin: { type: 'string' },
  email: { type: 'string' },
  organization: { type: 'string' },
  bin: { type: 'string' },
  role: { type: 'string' },
  password: { type: 'string' },
  kind: { type: 'string' },
  use: { type: 'string' },
  'not-before': { type: 'string' },
  'not-after': { type: 'string' },
  out: { type: 'string' },
  reason: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

type Option = keyof typeof options
type GivenOptions = { [K in Option]?: (typeof options)[K]['type'] extends 'boolean' ? boolean : string }

const everywhere: readonly Option[] = ['folder', 'help']
const allowed: Record<string, readonly Option[]> = {
  serve: ['port', 'host', 'address'],
  issue: [
    'surname',
    'first-name',
    'patronymic',
    'iin',
    'email',
    'organization',
    'bin',
    'role',
    'password',
    'kind',
    'use',
    'not-before',
    'not-after',
    'out',
  ],
  revoke: ['reason'],
  hold: [],
  unhold: [],
  list: ['json'],
}

export function readCommand(args: readonly string[], dataDir: string): Command {
  const { given, positionals } = parse(args)
  const [name = 'help', ...rest] = positionals
  const folder = given.folder ?? join(dataDir, 'certification-centre')
  if (given.help || name === 'help') return { name: 'help', folder }
  const own = allowed[name]
  if (!own) throw new UsageError(`There is no command ${name}`)
  const strange = Object.keys(given).find((one) => ![...everywhere, ...own].some((known) => known === one))
  if (strange) throw new UsageError(`${name} takes no --${strange}`)
  const isAboutOne = name === 'revoke' || name === 'hold' || name === 'unhold'
  if (rest.length !== (isAboutOne ? 1 : 0)) {
    throw new UsageError(
      isAboutOne ? `${name} takes one serial number or key identifier` : `What is ${rest[0]}?`,
    )
  }
  switch (name) {
    case 'serve':
      return {
        name,
        folder,
        port: portOf(given.port),
        host: given.host ?? '127.0.0.1',
        address: given.address,
      }
    case 'issue':
      return { name, folder, order: orderOf(given), out: given.out ?? join(folder, 'people') }
    case 'revoke':
      return {
        name,
        folder,
        which: whichOf(rest[0]!),
        reason: oneOf('reason', reasons, given.reason ?? 'unspecified'),
      }
    case 'hold':
    case 'unhold':
      return { name, folder, which: whichOf(rest[0]!) }
    default:
      return { name: 'list', folder, isJson: given.json ?? false }
  }
}

function parse(args: readonly string[]): { given: GivenOptions; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { given: values, positionals }
  } catch (error) {
    // parseArgs throws only for wrong arguments
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

const usualPort = 3310

function portOf(text: string | undefined): number {
  const port = text === undefined ? usualPort : Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new UsageError(`--port ${text} is no port`)
  return port
}

/** Serial numbers and key identifiers look alike; the register knows which one it is. */
function whichOf(text: string): Which {
  const hex = text.replaceAll(/[:\s]/g, '').toLowerCase()
  if (!/^([0-9a-f]{2})+$/.test(hex)) throw new UsageError(`${text} is no number in hexadecimal`)
  return { any: hex }
}

function orderOf(given: GivenOptions): Order {
  const needed = (option: 'surname' | 'first-name' | 'iin' | 'password') => {
    const value = given[option]
    if (value === undefined) throw new UsageError(`--${option} is missing`)
    return value
  }
  return {
    kind: oneOf('kind', familyKinds, given.kind ?? familyKinds[0]!),
    use: oneOf('use', ['signature', 'authentication'], given.use ?? 'signature'),
    person: {
      surname: needed('surname'),
      firstName: needed('first-name'),
      patronymic: given.patronymic ?? null,
      iin: needed('iin'),
      ...(given.email !== undefined && { email: given.email }),
    },
    ...organizationOf(given),
    password: needed('password'),
    ...(given['not-before'] !== undefined && { notBefore: timeOf('not-before', given['not-before']) }),
    ...(given['not-after'] !== undefined && { notAfter: timeOf('not-after', given['not-after']) }),
  }
}

function organizationOf({ organization, bin, role }: GivenOptions): Pick<Order, 'organization'> {
  if (organization === undefined && bin === undefined && role === undefined) return {}
  if (organization === undefined || bin === undefined || role === undefined) {
    throw new UsageError('--organization, --bin and --role belong together')
  }
  return { organization: { name: organization, bin, role: oneOf('role', organizationRoles, role) } }
}

function oneOf<T extends string>(option: Option, known: readonly T[], text: string): T {
  const value = known.find((one) => one === text)
  if (value === undefined) throw new UsageError(`--${option} must be one of ${known.join(', ')}`)
  return value
}

function timeOf(option: Option, text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(Number(time))) throw new UsageError(`--${option} ${text} is no time`)
  return time
}
