import { beforeAll, describe, expect, test } from 'vitest'
import { verify } from '@kelisim/signature/algorithms/verify.ts'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { derOf } from '@kelisim/signature/asn1/pem.ts'
import { extendedKeyUsage, keyUsage } from '@kelisim/signature/signer/extensions.ts'
import { daysLater, signedOn, type Nation } from '@kelisim/signature/testing/nation.ts'
import { keyOf, oids, signerNation, timestamping, type Owner } from '../desktop-signer/testing.ts'
import { canonical, canonicalDocument } from '../shared/xml/canonical.ts'
import { elementAt, readXml } from '../shared/xml/read-xml.ts'
import { answerCode, fetchDocuments, fetchIntroduction, type App } from './app/app.ts'
import { openCode } from './app/code.ts'
import { nameIn } from './app/protocol.ts'
import {
  appFor,
  base64,
  cmsRequest,
  contentIn,
  fileOf,
  findingsOn,
  introductionAt,
  names,
  serving,
  text,
  type Service,
} from './testing.ts'

let nation: Nation
let person: Owner
let loginKey: Owner
let abroad: { nation: Nation; person: Owner }
beforeAll(async () => {
  ;({ nation, person } = await signerNation('gost-kz-512', 'Phone'))
  abroad = await signerNation('rsa', 'Phone RSA')
  loginKey = await keyOf(nation, 'ТЕСТОВ ТЕСТ', {
    extensions: [
      keyUsage('digitalSignature', 'keyEncipherment'),
      extendedKeyUsage([oids.clientAuth, oids.individual]),
    ],
  })
})

/** A service whose code can be scanned, with timestamps available. */
const scanning = <T>(use: (service: Service, app: App) => Promise<T>, parts: Partial<App> = {}): Promise<T> =>
  timestamping(nation, ({ url: tspUrl }) =>
    serving((service) => use(service, appFor(service, { tspUrl, ...parts }))),
  )

const asking = (signMethod: string, ...documents: object[]) => ({
  signMethod,
  version: 1,
  documentsToSign: documents.map((document, i) => ({ id: i + 1, ...names, ...document })),
})

describe('the course of a signature', () => {
  test('has three calls, as documented by the operator', async () => {
    await scanning(async (service, app) => {
      await answerCode(service.code, person, app)
      const authorization = 'Bearer 2dffe45dssvg'
      expect(service.received).toMatchObject([
        { method: 'GET', path: '/e/s1/mgovSign', language: 'ru', authorization: undefined },
        { method: 'GET', path: '/e/s1/documents', language: 'ru', authorization },
        { method: 'PUT', path: '/e/s1/documents', language: 'ru', authorization, type: 'application/json' },
      ])
    })
  })

  test('returns what was received with nothing changed but the signatures', async () => {
    await scanning(async (service, app) => {
      const documents = asking('CMS_SIGN_ONLY', {
        meta: [{ name: 'Дата', value: '2024' }],
        own: 1,
        ...fileOf(),
      })
      service.documents = { ...documents, unknown: ['field'] }
      await answerCode(service.code, person, app)
      const { data } = service.sent().documentsToSign[0]!.document!.file
      const [document] = documents.documentsToSign
      expect(service.sent()).toEqual({
        ...documents,
        unknown: ['field'],
        documentsToSign: [{ ...document, document: { file: { mime: 'text/plain', data } } }],
      })
      expect(data).not.toBe(base64(text))
    })
  })

  test('passes on the return address and the message, but no address outside the web', async () => {
    await scanning(async (service, app) => {
      service.verdict.body = { message: 'Принято', backUrl: 'https://sign.example.kz/done' }
      const reply = await answerCode(service.code, person, app)
      expect(reply).toEqual({ message: 'Принято', backUrl: new URL('https://sign.example.kz/done') })
      for (const body of [[], 'success', { backUrl: 'javascript:alert(1)' }, { backUrl: 5 }]) {
        service.verdict.body = body
        expect(await answerCode(service.code, person, app)).toEqual({ message: null, backUrl: null })
      }
    })
  })

  test('returns the originals as cancelled if the person refuses', async () => {
    await scanning(async (service, app) => {
      await answerCode(service.code, 'cancel', app)
      expect(service.sent()).toEqual({ ...cmsRequest, status: 'CANCELED' })
    })
  })

  test('sends no token if none was given', async () => {
    await scanning(async (service, app) => {
      const { document, ...rest } = introductionAt(service.origin)
      service.introduction = { ...rest, document: { uri: document.uri, auth_type: 'None', auth_token: '' } }
      await answerCode(service.code, person, app)
      expect(service.received.map(({ authorization }) => authorization)).toEqual([
        undefined,
        undefined,
        undefined,
      ])
    })
  })
})

describe('each method', () => {
  test('CMS_SIGN_ONLY returns the signature alone, with a timestamp', async () => {
    await scanning(async (service, app) => {
      await answerCode(service.code, person, app)
      const { data } = service.sent().documentsToSign[0]!.document!.file
      expect(contentIn(data)).toBeNull()
      expect(await findingsOn(data, nation, text)).toEqual([])
      expect(await findingsOn(data, nation, `${text}!`)).toContain('other-document')
    })
  })

  test('CMS_WITH_DATA returns a signature with the document in it, with a timestamp', async () => {
    await scanning(async (service, app) => {
      service.documents = asking('CMS_WITH_DATA', fileOf('application/pdf'))
      await answerCode(service.code, person, app)
      const { data } = service.sent().documentsToSign[0]!.document!.file
      expect(contentIn(data)).toBe(text)
      expect(await findingsOn(data, nation, null)).toEqual([])
    })
  })

  test('XML returns the XML with the signature in it', async () => {
    await scanning(async (service, app) => {
      service.documents = asking('XML', { documentXml: '<data><iin>900101300123</iin></data>' })
      await answerCode(service.code, person, app)
      expect(await isSoundXml(service.sent().documentsToSign[0]!.documentXml!)).toBe(true)
    })
  })

  test('SIGN_BYTES_ARRAY: a JSON in a string; texts and XML come as they are, PDF in base64', async () => {
    await scanning(async (service, app) => {
      service.documents = asking(
        'SIGN_BYTES_ARRAY',
        fileOf('text/plain', text),
        fileOf('application/xml', '<a>ә</a>'),
        fileOf('application/pdf', base64('%PDF-1.7')),
      )
      await answerCode(service.code, person, app)
      for (const [i, content] of [text, '<a>ә</a>', '%PDF-1.7'].entries()) {
        const { data } = service.sent().documentsToSign[i]!.document!.file
        const { signature, certificate } = JSON.parse(data) as { signature: string; certificate: string }
        const der = derOf(Buffer.from(certificate, 'base64'))
        expect(der).toEqual(person.certificate.der)
        expect(await isSignature(signature, Buffer.from(content))).toBe(true)
      }
    })
  })

  test('MIX_SIGN: each document is signed by its own method', async () => {
    await scanning(async (service, app) => {
      service.documents = asking(
        'MIX_SIGN',
        { signMethod: 'CMS_SIGN_ONLY', ...fileOf() },
        { signMethod: 'XML', documentXml: '<a/>' },
        { signMethod: 'CMS_WITH_DATA', ...fileOf('image/png') },
      )
      await answerCode(service.code, person, app)
      const [alone, xml, attached] = service.sent().documentsToSign
      expect(await findingsOn(alone!.document!.file.data, nation, text)).toEqual([])
      expect(await isSoundXml(xml!.documentXml!)).toBe(true)
      expect(contentIn(attached!.document!.file.data)).toBe(text)
    })
  })

  test('RSA keys can sign as well', async () => {
    await timestamping(abroad.nation, ({ url: tspUrl }) =>
      serving(async (service) => {
        await answerCode(service.code, abroad.person, appFor(service, { tspUrl }))
        const { data } = service.sent().documentsToSign[0]!.document!.file
        expect(await findingsOn(data, abroad.nation, text)).toEqual([])
      }),
    )
  })
})

describe('Eds: people sign in before they open the documents', () => {
  const withLogin = (service: Service) => {
    const { document, ...rest } = introductionAt(service.origin)
    service.introduction = { ...rest, document: { uri: document.uri, auth_type: 'Eds' } }
  }

  test('by a signed address and time, made with the key for signing in', async () => {
    await scanning(async (service, app) => {
      withLogin(service)
      await answerCode(service.code, person, app, loginKey)
      const [, login, put] = service.received
      expect(login).toMatchObject({ method: 'POST', path: '/e/s1/documents', type: 'application/json' })
      const { xml } = JSON.parse(login!.body) as { xml: string }
      expect(elementAt(readXml(xml), '/login/url')?.textContent).toBe(`${service.origin}/e/s1/documents`)
      expect(elementAt(readXml(xml), '/login/timeStamp')?.textContent).toBe(signedOn.toISOString())
      expect(await isSoundXml(xml, loginKey)).toBe(true)
      expect(put).toMatchObject({ method: 'PUT', authorization: undefined })
    })
  })

  test('not without a key, and not with one that is for signatures alone', async () => {
    await scanning(async (service, app) => {
      withLogin(service)
      await expect(answerCode(service.code, person, app)).rejects.toMatchObject({ code: 'key-needed' })
      await expect(answerCode(service.code, person, app, abroad.person)).rejects.toMatchObject({
        code: 'not-for-login',
      })
      expect(service.received.map(({ method }) => method)).toEqual(['GET', 'GET'])
    })
  })
})

describe('what is shown', () => {
  test('the organisation that asks, in the language of the app, and until when', async () => {
    await scanning(async (service, app) => {
      const introduction = await fetchIntroduction(openCode(service.code, app), app)
      expect(introduction).toMatchObject({
        description: 'Подписание документов',
        expiresAt: new Date('2026-06-01T10:30:00Z'),
      })
      const { organisation } = introduction
      expect(nameIn('ru', organisation)).toBe('АО «НИТ»')
      expect(nameIn('kk', organisation)).toBe('«ҰАТ» АҚ')
      expect(nameIn('en', organisation)).toBe('NITEC')
    })
  })

  test.each([
    ['CMS_SIGN_ONLY', 'text/plain', 'text'],
    ['CMS_SIGN_ONLY', 'application/pdf', 'pdf'],
    ['CMS_WITH_DATA', '@file/pdf', 'pdf'],
    ['CMS_WITH_DATA', 'application/xml', null],
    ['SIGN_BYTES_ARRAY', 'application/xml', 'text'],
    ['CMS_SIGN_ONLY', '', null],
    ['CMS_SIGN_ONLY', 'application/vnd.ms-excel', null],
  ] as const)('%s of %s: %s', async (method, mime, shownAs) => {
    await scanning(async (service, app) => {
      service.documents = asking(method, fileOf(mime))
      const introduction = await fetchIntroduction(openCode(service.code, app), app)
      const { documents } = await fetchDocuments(introduction, app)
      expect(documents[0]).toMatchObject({ method, mime, shownAs, meta: [] })
    })
  })
})

describe('the app refuses a wrong introduction', () => {
  type Parts = { introduction?: object; document?: object; organisation?: object }

  test.each<[string, Parts, string]>([
    ['no description', { introduction: { description: undefined } }, 'malformed: description'],
    ['a name too few', { organisation: { nameKz: undefined } }, 'malformed: organisation.nameKz'],
    ['no BIN', { organisation: { bin: undefined } }, 'malformed: organisation.bin'],
    ['a date that is none', { introduction: { expiry_date: 'tomorrow' } }, 'malformed: expiry_date'],
    [
      'a date of another form',
      { introduction: { expiry_date: '2026-06-02 10:00:00' } },
      'malformed: expiry_date',
    ],
    [
      'an impossible date',
      { introduction: { expiry_date: '2026-13-02T10:00:00.000Z' } },
      'malformed: expiry_date',
    ],
    ['over', { introduction: { expiry_date: '2026-06-01T14:59:59.9+0500' } }, 'expired'],
    ['an unknown way in', { document: { auth_type: 'Bearer' } }, 'unknown-auth: Bearer'],
    ['another case', { document: { auth_type: 'token' } }, 'unknown-auth: token'],
    ['a token that is not there', { document: { auth_token: undefined } }, 'no-token'],
    ['an empty token', { document: { auth_token: '' } }, 'no-token'],
    ['documents nowhere', { document: { uri: '/documents' } }, 'malformed: document.uri'],
    [
      'documents elsewhere',
      { document: { uri: 'http://evil.example/documents' } },
      'unknown-host: evil.example',
    ],
  ])('%s', async (_, { introduction, document, organisation }, problem) => {
    await scanning(async (service, app) => {
      const whole = introductionAt(service.origin)
      service.introduction = {
        ...whole,
        ...introduction,
        document: { ...whole.document, ...document },
        organisation: { ...whole.organisation, ...organisation },
      }
      await expect(answerCode(service.code, person, app)).rejects.toThrow(problem)
      expect(service.received).toHaveLength(1)
    })
  })

  test.each([
    ['2026-06-01T15:30:00.138+0500'],
    ['2026-06-01T10:30:00.626Z'],
    ['2026-06-01T15:30:37.06+0500'],
    ['2026-06-01T10:30:00.000+00:00'],
  ])('but a date like %s is read', async (expiry_date) => {
    await scanning(async (service, app) => {
      service.introduction = { ...introductionAt(service.origin), expiry_date }
      await answerCode(service.code, 'cancel', app)
      expect(service.sent()).toEqual({ ...cmsRequest, status: 'CANCELED' })
    })
  })

  test.each<[string, unknown, string]>([
    ['no documents', asking('CMS_SIGN_ONLY'), 'malformed: documentsToSign'],
    ['an unknown method', asking('PAdES', fileOf()), 'unknown-method: PAdES'],
    ['a method of each, and one without', asking('MIX_SIGN', fileOf()), 'unknown-method'],
    [
      'mixed in the mix',
      asking('MIX_SIGN', { signMethod: 'MIX_SIGN', ...fileOf() }),
      'unknown-method: MIX_SIGN',
    ],
    ['another version', { ...cmsRequest, version: 2 }, 'malformed: version'],
    [
      'an id in a string',
      asking('CMS_SIGN_ONLY', { id: '1', ...fileOf() }),
      'malformed: documentsToSign.0.id',
    ],
    ['no file', asking('CMS_SIGN_ONLY', {}), 'malformed: documentsToSign.0.document'],
    ['no XML', asking('XML', fileOf()), 'malformed: documentsToSign.0.documentXml'],
    [
      'no base64',
      asking('CMS_SIGN_ONLY', fileOf('text/plain', 'нет')),
      'documentsToSign.0.document.file.data',
    ],
    ['an XML that is none', asking('XML', { documentXml: '<a>' }), 'not-signable'],
  ])('%s', async (_, documents, problem) => {
    await scanning(async (service, app) => {
      service.documents = documents
      await expect(answerCode(service.code, person, app)).rejects.toThrow(problem)
      expect(service.received).toHaveLength(2)
    })
  })

  test('the version may be missing, as with older services', async () => {
    await scanning(async (service, app) => {
      service.documents = { ...cmsRequest, version: undefined }
      await answerCode(service.code, person, app)
      expect(service.sent()).not.toHaveProperty('version')
      const { data } = service.sent().documentsToSign[0]!.document!.file
      expect(await findingsOn(data, nation, text)).toEqual([])
    })
  })
})

describe('what the other side answers is shown', () => {
  test('a token that it does not accept', async () => {
    await scanning(async (service, app) => {
      service.token = 'another'
      await expect(answerCode(service.code, person, app)).rejects.toMatchObject({
        code: 'refused',
        detail: 'Токен не подошёл',
      })
    })
  })

  test('a signature that it does not accept, in the language of the app', async () => {
    await scanning(
      async (service, app) => {
        service.verdict = { status: 403, body: { message: 'Қолтаңба қате' } }
        await expect(answerCode(service.code, person, app)).rejects.toMatchObject({ detail: 'Қолтаңба қате' })
        expect(service.received.map(({ language }) => language)).toEqual(['kk', 'kk', 'kk'])
      },
      { language: 'kk' },
    )
  })

  test.each([
    [500, 'Internal error', 'refused', null],
    [410, '{"message":"Срок истёк"}', 'refused', 'Срок истёк'],
    [302, '', 'refused', null],
    [200, '<html>', 'not-json', null],
    [200, '[]', 'malformed', ''],
  ])('%i %s', async (status, body, code, detail) => {
    await scanning(async (service, app) => {
      service.everything = { status, body }
      await expect(answerCode(service.code, person, app)).rejects.toMatchObject({ code, detail })
    })
  })

  test('no answer at all', async () => {
    const gone = await serving((service) => Promise.resolve(service))
    await expect(answerCode(gone.code, person, appFor(gone))).rejects.toMatchObject({ code: 'unreachable' })
  })
})

describe('keys and timestamps', () => {
  test.each<[string, () => Promise<{ p12: Uint8Array; password: string }>, string]>([
    ['a wrong password', () => Promise.resolve({ ...person, password: 'другой' }), 'wrong-password'],
    ['no file of keys', () => Promise.resolve({ p12: Buffer.from('нет'), password: '' }), 'unreadable'],
    ['a key for signing in', () => Promise.resolve(loginKey), 'not-for-signing'],
    ['an expired key', () => keyOf(nation, 'ТЕСТОВ ТЕСТ', { notAfter: daysLater(-1) }), 'not-in-time'],
    ['a key too early', () => keyOf(nation, 'ТЕСТОВ ТЕСТ', { notBefore: daysLater(1) }), 'not-in-time'],
  ])('%s signs nothing', async (_, key, code) => {
    const owned = await key()
    await scanning(async (service, app) => {
      await expect(answerCode(service.code, owned, app)).rejects.toMatchObject({ code })
      expect(service.received).toHaveLength(2)
    })
  })

  test('without a timestamp there is no signature: no service, or one that sends garbage', async () => {
    await scanning(async (service, app) => {
      const without = { ...app, tspUrl: null }
      await expect(answerCode(service.code, person, without)).rejects.toMatchObject({ code: 'no-timestamp' })
    })
    await timestamping(nation, (clock) =>
      serving(async (service) => {
        clock.isBroken = true
        const app = appFor(service, { tspUrl: clock.url })
        await expect(answerCode(service.code, person, app)).rejects.toMatchObject({ code: 'no-timestamp' })
      }),
    )
  })
})

async function isSignature(signature: string, bytes: Uint8Array, { certificate } = person): Promise<boolean> {
  const { key } = readCertificate(certificate.der).publicKey
  const value = new Uint8Array(Buffer.from(signature, 'base64'))
  return (await verify({ kind: 'gost', hash: 'streebog-512', wire: 'kz' }, key!, bytes, value)) === 'valid'
}

/** Whether the digest is that of the content around the signature, and the signature is valid over that digest. */
async function isSoundXml(xml: string, owner = person): Promise<boolean> {
  const document = readXml(xml)
  const at = (name: string) => elementAt(document, `//*[local-name()='${name}']`)!
  const info = canonical(at('SignedInfo'), 'inclusive')
  const [digest, value] = [at('DigestValue').textContent, at('SignatureValue').textContent]
  at('Signature').parentNode!.removeChild(at('Signature'))
  const expected = base64(hash('streebog-512', Buffer.from(canonicalDocument(document))))
  return digest === expected && isSignature(value ?? '', Buffer.from(info), owner)
}
