import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { request as httpRequest } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { openssl, hasOpenssl, withoutOpenssl } from '@kelisim/signature/testing/openssl.ts'
import type { Request } from './prompting/prompts.ts'
import { bareSocket, connected, NCALayerClient, password, running, signerNation } from './testing.ts'

const commonUtils = 'kz.gov.pki.knca.commonUtils'
const basics = 'kz.gov.pki.knca.basics'
const someText = Buffer.from('11\n').toString('base64')

let people: Awaited<ReturnType<typeof signerNation>>
beforeAll(async () => {
  people = await signerNation('gost-kz-512', 'Protocol')
})

const signerParams = { extKeyUsageOids: [], chain: [] }
const sign = (args: object) => ({
  module: basics,
  method: 'sign',
  args: { format: 'cms', data: someText, signingParams: {}, signerParams, ...args },
})

describe('requests are answered as the real program does', () => {
  const answers: [string, unknown, unknown][] = [
    [
      'an unknown module',
      { module: 'kz.nobody', method: 'x' },
      { success: false, errorCode: 'MODULE_NOT_FOUND' },
    ],
    [
      'the other maker whom the client library looks for',
      { module: 'kz.digiflow.mobile.extensions', method: 'getVersion' },
      { success: false, errorCode: 'MODULE_NOT_FOUND' },
    ],
    [
      'no module: the one of old, switched off',
      { method: 'getKeys', args: [] },
      { success: false, errorCode: 'MODULE_NOT_FOUND' },
    ],
    ['what is no JSON', '{"module":', { success: false, code: 'COMMON_JSON_WRAPPING_EXCEPTION' }],
    ['what is no object', '[1]', { success: false, code: 'COMMON_JSON_WRAPPING_EXCEPTION' }],
    [
      'tokens, when none is there',
      { module: commonUtils, method: 'getActiveTokens' },
      { responseObject: [], code: '200' },
    ],
    [
      'the uuid comes back',
      { module: commonUtils, method: 'getActiveTokens', uuid: 'u-1' },
      { responseObject: [], code: '200', uuid: 'u-1' },
    ],
    ['a language', { module: commonUtils, method: 'changeLocale', args: ['kk'] }, { code: '200' }],
    [
      'an unknown method',
      { module: commonUtils, method: 'toString', args: [] },
      { code: '500', message: 'java.lang.NoSuchMethodException. Method: toString' },
    ],
    [
      'an argument missing',
      { module: commonUtils, method: 'createCAdESFromBase64', args: ['PKCS12', 'SIGNATURE', someText] },
      {
        code: '500',
        message: 'java.lang.IllegalArgumentException: argument type mismatch. Method: createCAdESFromBase64',
      },
    ],
    [
      'a storage without a name',
      { module: commonUtils, method: 'getKeyInfo', args: [''] },
      { code: '500', message: 'storageName.param.empty' },
    ],
    [
      'a storage nobody knows',
      { module: commonUtils, method: 'getKeyInfo', args: ['FLOPPY'] },
      { code: '500', message: 'storage.unknown' },
    ],
    [
      'a token that is not plugged in',
      { module: commonUtils, method: 'getKeyInfo', args: ['AKKaztokenStore'] },
      { code: '500', message: 'storage.empty' },
    ],
    [
      'a file that is not there',
      {
        module: commonUtils,
        method: 'createCAdESFromFile',
        args: ['PKCS12', 'SIGNATURE', '/etc/passwd', true],
      },
      { code: '500', message: 'file.not_found' },
    ],
    [
      'an empty digest',
      { module: commonUtils, method: 'createCAdESFromBase64Hash', args: ['PKCS12', 'SIGNATURE', ''] },
      { code: '500' },
    ],
    [
      'basics: another method',
      { module: basics, method: 'importCertificate', args: {} },
      {
        status: false,
        code: 'INVOCATION_ERROR',
        message: 'An invoked method threw an exception.',
        details: 'java.lang.NoSuchMethodException: importCertificate',
      },
    ],
    [
      'basics: no arguments',
      { module: basics, method: 'sign' },
      invocation('JSONObject["args"] is not a JSONObject.'),
    ],
    [
      'basics: signing parameters of another kind',
      sign({ signingParams: 555 }),
      invocation('JSONObject["signingParams"] is not a JSONObject.'),
    ],
    ['basics: nothing to sign', sign({ data: undefined }), invocation('JSONObject["data"] not found.')],
    [
      'basics: key usages are mandatory',
      sign({ signerParams: {} }),
      invocation('JSONObject["extKeyUsageOids"] not found.'),
    ],
    ['basics: another format', sign({ format: 'pdf' }), invalid('format')],
    ['basics: no documents', sign({ data: [] }), invalid('data')],
    ['basics: a logo too large', sign({ logo: 'x'.repeat(50_001) }), invalid('logo')],
    ['basics: a digest cannot be attached', sign({ signingParams: { digested: true } }), invalid('digested')],
    [
      'basics: a chain of no certificates',
      sign({ signerParams: { ...signerParams, chain: ['x'] } }),
      invalid('chain'),
    ],
    [
      'basics: not base64',
      sign({ data: '%%%', signingParams: { decode: true } }),
      {
        status: false,
        code: 'SIGNING_FAILURE',
        message: 'Signing failure.',
        details: 'java.lang.IllegalArgumentException: Illegal base64 character',
      },
    ],
  ]

  function invocation(details: string) {
    return {
      status: false,
      code: 'INVOCATION_ERROR',
      message: 'An invoked method threw an exception.',
      details: `org.json.JSONException: ${details}`,
    }
  }
  function invalid(details: string) {
    return { status: false, code: 'INVALID_SIGNING_PARAMS', message: 'Invalid signing params.', details }
  }

  test.each(answers)('%s', async (_, asked, expected) => {
    await running({}, async ({ url }) => {
      const socket = await bareSocket(url)
      await socket.next()
      expect(await socket.ask(asked)).toEqual(expected)
    })
  })

  test('bundles and services are listed', async () => {
    await running({}, async ({ url }) => {
      const socket = await bareSocket(url)
      await socket.next()
      const accessory = 'kz.gov.pki.ncalayerservices.accessory'
      expect(await socket.ask({ module: accessory, method: 'getBundles' })).toHaveProperty([basics])
      expect(await socket.ask({ module: accessory, method: 'getServices' })).toContain(commonUtils)
    })
  })
})

test('the program sends the first message, and the library reads the version in it', async () => {
  await running({}, async ({ url }) => {
    const socket = await bareSocket(url)
    expect(await socket.next()).toBe('{"result":{"version":"1.4"}}')
    expect(await new NCALayerClient(url).connect()).toBe('1.4')
  })
})

test('a heartbeat is answered while the prompt is still open', async () => {
  await running({}, async ({ url }) => {
    const socket = await bareSocket(url)
    await socket.next()
    socket.send(sign({}))
    socket.send('--heartbeat--')
    expect(await socket.next()).toBe('--heartbeat--')
  })
})

test('two requests at once are prompted for and answered one after the other', async () => {
  const asked: number[] = []
  let atOnce = 0
  const keys = async ({ documents }: Request) => {
    asked.push(documents)
    atOnce += 1
    await new Promise(setImmediate)
    expect(atOnce).toBe(1)
    atOnce -= 1
    return people.person
  }
  await running({ keys }, async ({ url }) => {
    const socket = await bareSocket(url)
    await socket.next()
    socket.send(sign({ data: [someText, someText] }))
    socket.send(sign({ data: [someText] }))
    const [first, second] = [JSON.parse(await socket.next()), JSON.parse(await socket.next())]
    expect([first.body.result.length, second.body.result.length]).toEqual([2, 1])
    expect(asked).toEqual([2, 1])
  })
})

test('a page that sends requests endlessly without waiting is disconnected', async () => {
  await running({}, async ({ url }) => {
    const socket = await bareSocket(url)
    for (let i = 0; i < 20; i++) socket.send(sign({}))
    expect(await socket.closed).toBe(1008)
  })
})

test('the prompt of a page that leaves is closed', async () => {
  const { promise: shown, resolve } = Promise.withResolvers<void>()
  const keys = async () => {
    resolve()
    return null
  }
  await running({ keys, handsFree: true }, async ({ url, windowUrl }) => {
    const socket = await bareSocket(url)
    await socket.next()
    socket.send(sign({}))
    await shown
    const events = await fetch(await eventsOf(windowUrl))
    const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toMatch(/data: \S+\n/)
    socket.socket.close()
    expect((await reader.read()).value).toBe('event: prompt\ndata: \n\n')
    await reader.cancel()
  })
})

async function eventsOf(windowUrl: string): Promise<URL> {
  const page = await (await fetch(windowUrl)).text()
  return new URL(/data-events="([^"]+)"/.exec(page)![1]!, windowUrl)
}

test.each([
  ['text that is nothing', 'hello', '{"success":false,"code":"COMMON_JSON_WRAPPING_EXCEPTION"}'],
  ['octets', Buffer.from([0, 255, 1]), '{"success":false,"code":"COMMON_JSON_WRAPPING_EXCEPTION"}'],
])('garbage: %s', async (_, frame, answer) => {
  await running({}, async ({ url }) => {
    const socket = await bareSocket(url)
    await socket.next()
    socket.socket.send(frame)
    expect(await socket.next()).toBe(answer)
    expect(await socket.ask({ module: commonUtils, method: 'getActiveTokens' })).toHaveProperty('code', '200')
  })
})

test('a frame beyond the limit closes the socket, and the program keeps running', async () => {
  await running({ maxFrameBytes: 1000 }, async ({ url }) => {
    const socket = await bareSocket(url)
    await socket.next()
    socket.send('x'.repeat(1001))
    expect(await socket.closed).toBe(1009)
    expect(await (await bareSocket(url)).next()).toContain('1.4')
  })
})

describe('who may ask', () => {
  const mine = 'https://kelisim.example'

  test('pages of the given origins, and programs of this computer', async () => {
    await running({ origins: [mine] }, async ({ url }) => {
      expect(await (await bareSocket(url, { origin: mine })).next()).toContain('1.4')
      expect(await (await bareSocket(url)).next()).toContain('1.4')
    })
  })

  test('no other page', async () => {
    await running({ origins: [mine] }, async ({ url }) => {
      await expect(bareSocket(url, { origin: 'https://evil.example' })).rejects.toThrow('403')
    })
  })

  const outer = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && one.family === 'IPv4' && !one.internal)?.address

  test.skipIf(outer === undefined)('nobody from another computer', async () => {
    await running({ host: '0.0.0.0' }, async ({ url }) => {
      const from = new URL(url)
      from.hostname = outer!
      await expect(bareSocket(from.href)).rejects.toThrow('403')
      const answer = await new Promise<string>((resolve) => {
        httpRequest({ host: outer, port: from.port }, (response) => {
          response.setEncoding('utf8').once('data', resolve)
        }).end()
      })
      expect(answer).toBe('You shall not pass!')
    })
  })

  test('the person is told which page asks', async () => {
    const origins: (string | null)[] = []
    const keys = ({ origin }: Request) => {
      origins.push(origin)
      return 'cancel' as const
    }
    await running({ keys }, async ({ url }) => {
      for (const options of [{ origin: mine }, {}]) {
        const socket = await bareSocket(url, options)
        await socket.next()
        expect(await socket.ask(sign({}))).toEqual({ body: {}, status: true })
      }
      expect(origins).toEqual([mine, null])
    })
  })
})

test.skipIf(!hasOpenssl)(`wss:// works with a certificate and key of its own${withoutOpenssl}`, async () => {
  const args = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'key',
    '-out',
    'cert',
    '-subj',
    '/CN=127.0.0.1',
  ]
  const { key, cert } = openssl({}, (run) => {
    const made = run(...args)
    const text = (name: string) => Buffer.from(made.file(name)).toString('utf8')
    return { key: text('key'), cert: text('cert') }
  })
  await running({ tls: { key, cert } }, async ({ url }) => {
    expect(url).toMatch(/^wss:/)
    const { WebSocket: NodeSocket } = await import('ws')
    const socket = new NodeSocket(url, { ca: cert, rejectUnauthorized: false })
    const greeting = await new Promise((resolve, reject) => {
      socket.once('message', (data) => resolve((data as Buffer).toString('utf8'))).once('error', reject)
    })
    expect(greeting).toContain('1.4')
    socket.terminate()
  })
})

describe('documents by path', () => {
  test('come from the given folder and from nowhere else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signer-files-'))
    try {
      writeFileSync(join(folder, 'contract.txt'), 'Келісімшарт')
      const keys = ({ demands }: Request) =>
        demands ? people.person : { file: join(folder, 'contract.txt') }
      await running({ keys, filesFolder: folder }, async ({ url }) => {
        const socket = await bareSocket(url)
        await socket.next()
        const chosen = await socket.ask({ module: commonUtils, method: 'showFileChooser', args: ['ALL', ''] })
        expect(chosen).toEqual({ responseObject: join(folder, 'contract.txt'), code: '200' })
        const by = (path: string) =>
          socket.ask({
            module: commonUtils,
            method: 'createCAdESFromFile',
            args: ['PKCS12', 'SIGNATURE', path, true],
          })
        expect(await by(join(folder, 'contract.txt'))).toHaveProperty('code', '200')
        const stamped = { module: commonUtils, method: 'createCMSSignatureFromFile' }
        const unstamped = await socket.ask({
          ...stamped,
          args: ['PKCS12', 'SIGNATURE', 'contract.txt', false],
        })
        expect(unstamped).toEqual({ code: '500', message: 'TIMESTAMP_CREATION_FAILURE' })
        for (const path of ['/etc/passwd', '../../etc/passwd', join(folder, '..'), folder]) {
          expect(await by(path)).toEqual({ code: '500', message: 'file.not_found' })
        }
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

test('a wrong password and an invalid file of keys are reported, if nobody is there to try again', async () => {
  const wrong = [
    [{ p12: people.person.p12, password: 'other' }, 'WRONG_KEYSTORE_PASSWORD'],
    [{ p12: new Uint8Array(9), password }, 'KEYSTORE_LOADING_FAILURE'],
  ] as const
  for (const [keys, code] of wrong) {
    await running({ keys }, async ({ url }) => {
      const client = await connected(url)
      await expect(client['getKeyInfo']!('PKCS12')).rejects.toThrow(`500: ${code}`)
      const signing = client['basicsSignCMS']!(null, someText, {}, { extKeyUsageOids: [], chain: [] })
      await expect(signing).rejects.toThrow(`SIGNING_FAILURE: Signing failure. (${code})`)
    })
  }
})
