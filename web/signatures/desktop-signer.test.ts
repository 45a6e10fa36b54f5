import { describe, expect, test, vi } from 'vitest'
import { connectDesktopSigner, faultOf, SigningError, type Program } from './desktop-signer.ts'

const settings = { url: 'wss://127.0.0.1:13579', acceptsAnyChain: false }
const never = () => new Promise(() => {})
const options = { withTimestamp: false, locale: 'kk' }

function program(parts: Partial<Program> = {}): Program {
  return {
    connect: () => Promise.resolve('1.4'),
    basicsSignCMS: (_, data) =>
      Promise.resolve(data.map((one) => `-----BEGIN CMS-----\n${one}\n${one}\n-----END CMS-----\n`)),
    basicsSignXML: (_, data) => Promise.resolve(data.map((one) => `signed ${one}`)),
    wsConnection: { close: vi.fn<() => void>() },
    ...parts,
  }
}

const connect = (made: Program, giveUp = never) =>
  connectDesktopSigner(settings, () => Promise.resolve(made), giveUp)

test('signs each content and returns the signatures without PEM headers', async () => {
  const signer = await connect(program())
  expect(await signer.signDetached(['YQ', 'Yg'], options)).toEqual(['YQYQ', 'YgYg'])
})

test('an old version of the program returns a single signature for one content', async () => {
  const signer = await connect(program({ basicsSignCMS: () => Promise.resolve('YQ==') }))
  expect(await signer.signDetached(['YQ'], options)).toEqual(['YQ=='])
})

test('requests a timestamp and keys of any certification centre only if configured', async () => {
  const basicsSignCMS = vi.fn<Program['basicsSignCMS']>(() => Promise.resolve(['YQ==']))
  await (await connect(program({ basicsSignCMS }))).signDetached(['YQ'], options)
  const anywhere = { ...settings, acceptsAnyChain: true }
  const other = await connectDesktopSigner(anywhere, () => Promise.resolve(program({ basicsSignCMS })), never)
  await other.signDetached(['YQ'], { withTimestamp: true, locale: 'ru' })
  const plain = { decode: true, encapsulate: false, digested: false }
  expect(basicsSignCMS.mock.calls).toEqual([
    [null, ['YQ'], plain, { extKeyUsageOids: [] }, 'kk'],
    [null, ['YQ'], { ...plain, tsaProfile: {} }, { extKeyUsageOids: [], chain: [] }, 'ru'],
  ])
})

test('signs XML as text, in its turn, and fails if a document is missing', async () => {
  const basicsSignXML = vi.fn<Program['basicsSignXML']>((_, data) => Promise.resolve(data))
  const signer = await connect(program({ basicsSignXML }))
  expect(await signer.signXml(['<a/>', '<b/>'], { locale: 'kk' })).toEqual(['<a/>', '<b/>'])
  expect(basicsSignXML.mock.calls).toEqual([[null, ['<a/>', '<b/>'], {}, { extKeyUsageOids: [] }, 'kk']])
  const single = await connect(program({ basicsSignXML: () => Promise.resolve('<a/>') }))
  expect(await single.signXml(['<a/>'], { locale: 'ru' })).toEqual(['<a/>'])
  await expect(single.signXml(['<a/>', '<b/>'], { locale: 'ru' })).rejects.toMatchObject({
    fault: 'program-failed',
  })
})

test('sends one request at a time, also after a failed one', async () => {
  const asked: string[][] = []
  const waiting: ((cms: string[] | Error) => void)[] = []
  const signer = await connect(
    program({
      basicsSignCMS: (_, data) => {
        asked.push(data)
        return new Promise((resolve, reject) =>
          waiting.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer))),
        )
      },
    }),
  )
  const [first, second] = [signer.signDetached(['a'], options), signer.signDetached(['b'], options)]
  await vi.waitFor(() => expect(waiting).toHaveLength(1), 20_000)
  expect(asked).toEqual([['a']])
  waiting[0](new Error('no'))
  await expect(first).rejects.toThrow(SigningError)
  await vi.waitFor(() => expect(waiting).toHaveLength(2), 20_000)
  waiting[1](['Yg=='])
  expect(await second).toEqual(['Yg=='])
})

describe('a program that is not running', () => {
  test('refuses the connection', async () => {
    const made = program({ connect: () => Promise.reject(new Error('no connection')) })
    await expect(connect(made)).rejects.toMatchObject({ fault: 'program-not-running' })
  })

  test('or does not respond: the connection times out', async () => {
    const made = program({ connect: () => new Promise(() => {}) })
    await expect(connect(made, () => Promise.resolve())).rejects.toMatchObject({
      fault: 'program-not-running',
    })
    expect(made.wsConnection!.close).toHaveBeenCalled()
  })
})

test('a response with another number of signatures is a failure', async () => {
  for (const answer of [[], [''], ['YQ==', 'Yg=='], '']) {
    const signer = await connect(program({ basicsSignCMS: () => Promise.resolve(answer) }))
    await expect(signer.signDetached(['YQ'], options)).rejects.toMatchObject({ fault: 'program-failed' })
  }
})

test.each([
  [Object.assign(new Error('cancelled by user'), { canceledByUser: true }), 'canceled-by-user'],
  [new Error('SIGNING_FAILURE: Signing failure. (WRONG_KEYSTORE_PASSWORD)'), 'wrong-password'],
  [new Error('500: BLOCKED_KEYSTORE_PASSWORD'), 'blocked-password'],
  [new Error('SIGNING_FAILURE: Signing failure. (KEY_NOT_FOUND)'), 'no-suitable-key'],
  [new Error('SIGNING_FAILURE: Signing failure. (CERTIFICATE_DATE_NOT_VALID)'), 'key-out-of-date'],
  [new Error('SIGNING_FAILURE: Signing failure. (TIMESTAMP_CREATION_FAILURE)'), 'timestamp-not-made'],
  [new Error('INVOCATION_ERROR: java.lang.NullPointerException'), 'program-failed'],
  ['whatever', 'program-failed'],
] as const)('the error %s means %s', (error, fault) => {
  expect(faultOf(error)).toBe(fault)
})
