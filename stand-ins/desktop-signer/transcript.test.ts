/**
 * The authors of the client library recorded the real program. Every recorded request is sent to the stand-in: errors
 * must be identical, and responses of the same form.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { keyUsage, extendedKeyUsage } from '@kelisim/signature/signer/extensions.ts'
import type { Chooser } from './prompting/hands-free.ts'
import {
  bareSocket,
  keyOf,
  oids,
  recordedPairs,
  running,
  signerNation,
  timestamping,
  type Owner,
} from './testing.ts'

const pairs = recordedPairs()
let rsa: Awaited<ReturnType<typeof signerNation>>
let login: Owner

beforeAll(async () => {
  rsa = await signerNation('rsa', 'Recorded')
  login = await keyOf(rsa.nation, 'ТЕСТОВ ВХОД', {
    extensions: [keyUsage('digitalSignature', 'keyEncipherment'), extendedKeyUsage([oids.clientAuth])],
  })
})

/** Behaves like the person who was recorded. */
function personOf(response: string): Chooser {
  const isCancelled = response.includes('action.canceled') || response === '{"body":{},"status":true}'
  return ({ demands }) => (isCancelled ? 'cancel' : demands?.use === 'authentication' ? login : rsa.person)
}

async function ours(request: string, response: string): Promise<unknown> {
  return timestamping(rsa.nation, ({ url: tspUrl }) =>
    running(
      {
        keys: personOf(response),
        roots: rsa.roots,
        tspUrl,
        tokens: response === '{"responseObject":[],"code":"200"}' ? [] : ['AKKaztokenStore'],
      },
      async ({ url }) => {
        const socket = await bareSocket(url)
        await socket.next()
        return socket.ask(request)
      },
    ),
  )
}

test('fifty pairs are recorded', () => {
  expect(pairs).toHaveLength(50)
})

// the first is the greeting, recorded with a program of another vendor, which this stand-in does not replace
describe.each(pairs.slice(1).map(({ request, response }, i) => [i + 1, request, response] as const))(
  'pair %i',
  (_, request, response) => {
    test(request.slice(0, 150), async () => {
      const theirs = JSON.parse(response) as unknown
      expect(formOf(await ours(request, response))).toEqual(formOf(theirs))
    })
  },
)

/** Values that vary are replaced by their names; everything else stays. */
function formOf(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return textForm(value)
  if (Array.isArray(value)) return value.map((item) => formOf(item))
  if (typeof value !== 'object' || value === null) return value
  // since 1.4 the result is a list, even of one
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    key === 'result' && typeof item === 'string' ? [formOf(item)] : formOf(item, key),
  ])
  // the recording lacks all but one of the key's details
  return name === 'responseObject' && 'certNotBefore' in value
    ? 'details of a key'
    : Object.fromEntries(entries)
}

function textForm(text: string): string {
  if (text.startsWith('-----BEGIN CMS-----\n')) return 'CMS in PEM'
  if (text.startsWith('Actual signature stripped') || /^MI[A-Za-z0-9+/]{200,}=*$/.test(text)) return 'CMS'
  if (!text.includes('<ds:Signature')) return text
  const bare = text
    .replace(/(<ds:SignatureValue>\s*)[A-Za-z0-9+/=\s]*?(\s*<\/ds:SignatureValue>)/, '$1value$2')
    .replace(/(<ds:X509Certificate>)[^<]*/, '$1certificate')
  // basics of the recorded version still broke lines, 1.4 does not
  return bare.includes('\r\n') ? bare : bare.replaceAll('\n', '')
}
