/** The command line of `kelisim`. */
import { parseArgs } from 'node:util'
import { programFiles } from '@kelisim/domain/integration/calls/files-contract.ts'
import type { FileKind } from '../client.ts'

export class UsageError extends Error {}

export const usage = `kelisim login --address URL            asks for the token, or reads it from the standard input
kelisim logout
kelisim test                           for whom the token acts, and what it may do
kelisim send FILE RECIPIENT [--name NAME] [--description TEXT] [--document-kind ID]
kelisim status ID…
kelisim wait ID                        until the request is completed, rejected or withdrawn
kelisim download ID [--kind KIND] [--out FILE]
kelisim journals                       the journals of the organisation with their next numbers
kelisim kinds                          the kinds of documents, for --document-kind
kelisim register ID --journal ID       gives a request the next number of a journal
kelisim entries --journal ID [--year YEAR]
kelisim watch FOLDER RECIPIENT         sends every file that is put there, and saves what was signed beside it
kelisim mcp                            tools for assistants (Model Context Protocol) on standard input and output

RECIPIENT is --route ID, or --bin NUMBER --email ADDRESS [--organization NAME] [--group ID] [--for-information].
KIND is one of ${programFiles.join(', ')}; signed if none is given.
KELISIM_ADDRESS and KELISIM_TOKEN take the place of login. Results are JSON, one object a line.
Exit: 0 done, 1 refused, 2 the request ended without being completed, 64 wrong usage.`

export type Recipient =
  | { routeId: string }
  | { bin: string; emails: string[]; organizationName: string; groupId?: string; isForInformation: boolean }

export type Arguments =
  | { command: 'login'; address: string }
  | { command: 'logout' | 'test' | 'mcp' | 'journals' | 'kinds' }
  | {
      command: 'send'
      file: string
      to: Recipient
      name: string | null
      description: string
      kindId: string | null
    }
  | { command: 'register'; id: string; journalId: string }
  | { command: 'entries'; journalId: string; year: number | null }
  | { command: 'status'; ids: string[] }
  | { command: 'wait'; id: string }
  | { command: 'download'; id: string; kind: FileKind; out: string | null }
  | { command: 'watch'; folder: string; to: Recipient }

const options = {
  address: { type: 'string' },
  route: { type: 'string' },
  bin: { type: 'string' },
  email: { type: 'string', multiple: true },
  organization: { type: 'string' },
  group: { type: 'string' },
  'for-information': { type: 'boolean' },
  name: { type: 'string' },
  description: { type: 'string' },
  'document-kind': { type: 'string' },
  journal: { type: 'string' },
  year: { type: 'string' },
  kind: { type: 'string' },
  out: { type: 'string' },
} as const

type Values = ReturnType<typeof parse>['values']

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** The options of each command, and how many positional arguments follow its name. */
const forms: Record<
  Arguments['command'],
  { words: [least: number, most: number]; options: (keyof Values)[] }
> = {
  login: { words: [0, 0], options: ['address'] },
  logout: { words: [0, 0], options: [] },
  test: { words: [0, 0], options: [] },
  mcp: { words: [0, 0], options: [] },
  journals: { words: [0, 0], options: [] },
  kinds: { words: [0, 0], options: [] },
  register: { words: [1, 1], options: ['journal'] },
  entries: { words: [0, 0], options: ['journal', 'year'] },
  send: {
    words: [1, 1],
    options: [
      'route',
      'bin',
      'email',
      'organization',
      'group',
      'for-information',
      'name',
      'description',
      'document-kind',
    ],
  },
  status: { words: [1, 100], options: [] },
  wait: { words: [1, 1], options: [] },
  download: { words: [1, 1], options: ['kind', 'out'] },
  watch: { words: [1, 1], options: ['route', 'bin', 'email', 'organization', 'group', 'for-information'] },
}

export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parse(args)
  const [command, ...words] = positionals
  if (command === undefined || !isCommand(command))
    throw new UsageError(`There is no command ${command ?? ''}`)
  const form = forms[command]
  const foreign = (Object.keys(values) as (keyof Values)[]).find((name) => !form.options.includes(name))
  if (foreign !== undefined) throw new UsageError(`${command} takes no --${foreign}`)
  if (words.length < form.words[0] || words.length > form.words[1])
    throw new UsageError(`${command} takes ${form.words[0]} to ${form.words[1]} words`)
  const first = words[0]!
  switch (command) {
    case 'login':
      return { command, address: addressIn(values.address) }
    case 'send':
      return {
        command,
        file: first,
        to: recipientIn(values),
        name: values.name ?? null,
        description: values.description ?? '',
        kindId: values['document-kind'] ?? null,
      }
    case 'register':
      return { command, id: first, journalId: journalIn(values.journal) }
    case 'entries':
      return { command, journalId: journalIn(values.journal), year: yearIn(values.year) }
    case 'status':
      return { command, ids: words }
    case 'wait':
      return { command, id: first }
    case 'download':
      return { command, id: first, kind: kindIn(values.kind), out: values.out ?? null }
    case 'watch':
      return { command, folder: first, to: recipientIn(values) }
    case 'logout':
    case 'test':
    case 'mcp':
    case 'journals':
    case 'kinds':
      return { command }
  }
}

function isCommand(word: string): word is Arguments['command'] {
  return Object.hasOwn(forms, word)
}

/** A token must not be sent over an open network; on this computer it may. */
function addressIn(text: string | undefined): string {
  if (text === undefined || !URL.canParse(text))
    throw new UsageError('--address is missing, or is no address')
  const { protocol, hostname, origin } = new URL(text)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere))
    throw new UsageError('--address must be https')
  return origin
}

function recipientIn(values: Values): Recipient {
  const { route, bin, email = [], organization = '', group } = values
  if ((route === undefined) === (bin === undefined))
    throw new UsageError('Either --route or --bin says where it goes')
  if (route !== undefined) return { routeId: route }
  if (email.length === 0) throw new UsageError('--bin needs an --email')
  return {
    bin: bin!,
    emails: email,
    organizationName: organization,
    ...(group !== undefined && { groupId: group }),
    isForInformation: values['for-information'] ?? false,
  }
}

function journalIn(text: string | undefined): string {
  if (text === undefined) throw new UsageError('--journal is missing')
  return text
}

function yearIn(text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{4}$/.test(text)) throw new UsageError(`${text} is no year`)
  return Number(text)
}

function kindIn(text = 'signed'): FileKind {
  const kind = programFiles.find((one) => one === text)
  if (!kind) throw new UsageError(`There is no kind ${text}`)
  return kind
}
