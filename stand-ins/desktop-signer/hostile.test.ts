import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bareSocket, running, signerNation } from './testing.ts'

const modules = [
  'kz.gov.pki.knca.commonUtils',
  'kz.gov.pki.knca.basics',
  'kz.gov.pki.ncalayerservices.accessory',
]
const methods = [
  'getActiveTokens',
  'getKeyInfo',
  'createCAdESFromBase64',
  'createCAdESFromBase64Hash',
  'createCMSSignatureFromBase64',
  'createCAdESFromFile',
  'applyCAdEST',
  'signXml',
  'signXmls',
  'showFileChooser',
  'changeLocale',
  'sign',
  'getBundles',
  '__proto__',
  'constructor',
]

/** Almost valid requests, and arbitrary ones. */
const value = fc.oneof(
  fc.constantFrom('PKCS12', 'SIGNATURE', 'MTEK', '<a/>', 'cms', 'xml', true, null),
  fc.jsonValue(),
)
const order = fc.record(
  {
    allowedStorages: value,
    format: value,
    data: value,
    signingParams: fc.oneof(
      value,
      fc.record({ decode: value, encapsulate: value, tsaProfile: value, digested: value }),
    ),
    signerParams: fc.oneof(
      value,
      fc.record({ extKeyUsageOids: fc.oneof(fc.constant([]), value), chain: value }),
    ),
    locale: value,
    logo: value,
  },
  { requiredKeys: [] },
)
const request = fc.record(
  {
    module: fc.oneof(fc.constantFrom(...modules), value),
    method: fc.constantFrom(...methods),
    args: fc.oneof(fc.array(value, { maxLength: 5 }), order, value),
    uuid: value,
  },
  { requiredKeys: [] },
)

test('everything that a page sends is answered, and causes no error in the program', async () => {
  const faults: unknown[] = []
  const said = console.error
  console.error = (...words) => faults.push(words)
  try {
    const { person, roots } = await signerNation('gost-kz-512', 'Hostile')
    await running({ keys: person, roots }, async ({ url }) => {
      const socket = await bareSocket(url)
      await socket.next()
      const answered = async (frame: unknown) => {
        expect(await socket.ask(frame)).toBeTypeOf('object')
      }
      await fc.assert(fc.asyncProperty(request, answered), { numRuns: 500 })
      await fc.assert(
        fc.asyncProperty(fc.string(), (text) => answered(JSON.stringify(text))),
        { numRuns: 50 },
      )
    })
  } finally {
    console.error = said
  }
  expect(faults).toEqual([])
})
