import { expect, test } from 'vitest'
import type { CertificateOwner } from '@kelisim/domain/signatures/owner.ts'
import { SigningError } from '../../signatures/desktop-signer.ts'
import { point, request } from '../shared/testing-requests.ts'
import {
  runSigning,
  type SigningResult,
  type SigningDependencies,
  type Progress,
  type SigningTask,
} from './run-signing.ts'

const bin = '260140020007'
const iin = '850412400310'

function owner(change: Partial<CertificateOwner>): CertificateOwner {
  return {
    commonName: 'СЕРІКОВА АЙГЕРІМ',
    surname: 'СЕРІКОВА',
    givenName: 'НҰРЛАНҚЫЗЫ',
    iin,
    bin,
    organization: null,
    email: null,
    roles: [],
    keyUse: 'both',
    ...change,
  }
}

const task = (id: string, change: { isTimestampRequired?: boolean; bin?: string } = {}): SigningTask => {
  const signed = point('p', 'CompanyInternalSign', 'Waiting', { bin: change.bin ?? bin })
  const { isTimestampRequired = false } = change
  return { request: request([signed], { id, isTimestampRequired }), point: signed }
}

/** A signing program that uses the given keys one after another and records its calls. */
function world(...keys: CertificateOwner[]) {
  const asked: { contents: readonly string[]; withTimestamp: boolean }[] = []
  const sent: [string, object][] = []
  const progress: Progress[] = []
  let isClosed = false
  const dependencies: SigningDependencies = {
    locale: 'ru',
    iin,
    connect: async () => ({
      close: () => {
        isClosed = true
      },
      signDetached: async (contents, { withTimestamp }) => {
        const key = Math.min(asked.length, keys.length - 1)
        asked.push({ contents, withTimestamp })
        return contents.map((content) => `${key}:${content}`)
      },
      signXml: async (documents) => {
        asked.push({ contents: documents, withTimestamp: false })
        return documents.map((text) => text.replace('</', '<ds:Signature xmlns:ds="d">1</ds:Signature></'))
      },
    }),
    load: async ({ request: { id } }, onBytes) => {
      onBytes(4)
      return { base64: `bytes of ${id}` }
    },
    readSigner: async () => (signature) => {
      const key = Number(signature[0])
      return { owner: keys[key] ?? owner({}), certificate: JSON.stringify(keys[key]) }
    },
    send: async ({ request: { id } }, signed, onBytes): Promise<SigningResult> => {
      sent.push([id, signed])
      onBytes(10, 10)
      return { kind: 'accepted' }
    },
    sendTogether: async (signed) => {
      sent.push([signed.map((one) => one.task.request.id).join('+'), {}])
      return signed.map(() => ({ kind: 'accepted' }))
    },
  }
  const run = (
    tasks: SigningTask[],
    signal = new AbortController().signal,
    change: Partial<SigningDependencies> = {},
  ) =>
    runSigning({
      tasks,
      signal,
      dependencies: { ...dependencies, ...change },
      onProgress: (one) => progress.push(one),
    })
  return { asked, sent, progress, run, isClosed: () => isClosed }
}

test('several documents are signed with one prompt and sent one by one', async () => {
  const { run, asked, sent, progress, isClosed } = world(owner({}))
  expect(await run([task('a'), task('b')])).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }])
  expect(asked).toEqual([{ contents: ['bytes of a', 'bytes of b'], withTimestamp: false }])
  expect(sent.map(([id]) => id)).toEqual(['a', 'b'])
  expect([...new Set(progress.map(({ stage }) => stage))]).toEqual(['load', 'sign', 'send', 'process'])
  expect(isClosed()).toBe(true)
})

test('documents of a package that is decided together are sent in one call, the others one by one', async () => {
  const { run, asked, sent } = world(owner({}))
  const inPackage = (id: string, isTogether: boolean) => {
    const one = task(id)
    const sentIn = { id: `package ${isTogether}`, name: 'Сделка', isTogether, requests: [] }
    return { ...one, request: { ...one.request, package: sentIn } }
  }
  const tasks = [inPackage('a', true), task('b'), inPackage('c', true), inPackage('d', false)]
  expect(await run(tasks)).toEqual(tasks.map(() => ({ kind: 'accepted' })))
  expect(asked).toHaveLength(1)
  expect(sent.map(([id]) => id)).toEqual(['a+c', 'b', 'd'])
})

test('documents that require a timestamp are signed twice', async () => {
  const { run, asked, sent } = world(owner({}), owner({}))
  await run([task('a'), task('b', { isTimestampRequired: true })])
  expect(asked[1]).toEqual({ contents: ['bytes of b'], withTimestamp: true })
  expect(sent[0]?.[1]).not.toHaveProperty('timestampedSignature')
  expect(sent[1]?.[1]).toMatchObject({ timestampedSignature: '1:bytes of b' })
})

test('a second signature made with another key is not sent', async () => {
  const { run, sent } = world(owner({}), owner({ iin: '901108300543' }))
  expect(await run([task('a', { isTimestampRequired: true })])).toEqual([{ kind: 'other-key' }])
  expect(sent).toEqual([])
})

test('a wrong key is detected before anything is sent, with the required and the chosen number', async () => {
  const { run, sent } = world(owner({ bin: null }))
  const [result] = await run([task('a')])
  expect(result).toEqual({
    kind: 'wrong-key',
    demand: { of: 'number', number: bin, keyHolder: 'employee', iins: [iin] },
    chosen: { fullName: 'Серікова Айгерім Нұрланқызы', iin, bin: null, given: 'individual' },
    code: 'DS-706',
  })
  expect(sent).toEqual([])
})

test('documents that the key does not fit are skipped, the rest are signed', async () => {
  const { run, sent } = world(owner({}))
  const results = await run([task('a', { bin: '240540017348' }), task('b')])
  expect(results.map(({ kind }) => kind)).toEqual(['wrong-key', 'accepted'])
  expect(sent.map(([id]) => id)).toEqual(['b'])
})

test('a certificate that the browser cannot read is left to the server to check', async () => {
  const { run, sent } = world(owner({}))
  await run([task('a')], undefined, { readSigner: async () => () => null })
  expect(sent).toHaveLength(1)
})

test('cancelling while the program waits for a key sends nothing and closes the connection', async () => {
  const stopping = new AbortController()
  const { run, sent } = world(owner({}))
  let isClosed = false
  const running = run([task('a')], stopping.signal, {
    connect: async () => ({
      close: () => {
        isClosed = true
      },
      signDetached: () => {
        stopping.abort()
        return new Promise(() => {})
      },
      signXml: () => new Promise(() => {}),
    }),
  })
  await expect(running).rejects.toThrow()
  expect([sent, isClosed]).toEqual([[], true])
})

test('a program that is not running is reported before a long file is loaded', async () => {
  const { run, progress } = world(owner({}))
  const running = run([task('a')], undefined, {
    connect: async () => {
      throw new SigningError('program-not-running')
    },
  })
  await expect(running).rejects.toThrow('program-not-running')
  expect(progress).toEqual([{ stage: 'load' }])
})

test('only the signature of an XML document is sent, and no second one with a timestamp is asked for', async () => {
  const { run, asked, sent } = world(owner({}))
  const load: SigningDependencies['load'] = async ({ request: { id } }) =>
    id === 'x' ? { xml: '<bill>1</bill>' } : { base64: `bytes of ${id}` }
  const tasks = [task('a'), task('x', { isTimestampRequired: true }), task('b')]
  expect(await run(tasks, undefined, { load })).toEqual(tasks.map(() => ({ kind: 'accepted' })))
  expect(asked).toEqual([
    { contents: ['bytes of a', 'bytes of b'], withTimestamp: false },
    { contents: ['<bill>1</bill>'], withTimestamp: false },
  ])
  expect(sent).toEqual([
    ['a', { signature: '0:bytes of a' }],
    ['x', { signature: btoa('<ds:Signature xmlns:ds="d">1</ds:Signature>') }],
    ['b', { signature: '0:bytes of b' }],
  ])
})

test('it is a failure of the program if it signs nothing inside the XML', async () => {
  const { run } = world(owner({}))
  const load: SigningDependencies['load'] = async () => ({ xml: 'no XML' })
  await expect(run([task('x')], undefined, { load })).rejects.toEqual(new SigningError('program-failed'))
})

test('closing the dialog while signatures are being sent loses none of them', async () => {
  const { run, sent } = world(owner({}))
  const closing = new AbortController()
  const results = await run([task('a'), task('b'), task('c')], closing.signal, {
    send: async ({ request: { id } }, signed) => {
      closing.abort()
      sent.push([id, signed])
      return { kind: 'accepted' }
    },
  })
  expect(sent.map(([id]) => id)).toEqual(['a', 'b', 'c'])
  expect(results.map(({ kind }) => kind)).toEqual(['accepted', 'accepted', 'accepted'])
})
