import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasOpenssl, openssl, withoutOpenssl } from '../testing/openssl.ts'
import { emptyRoot } from './merkle.ts'
import { examineCheckpoint, readCheckpoint, writeCheckpoint, type CheckpointSetting } from './checkpoint.ts'
import {
  cosignatureBytes,
  cosignedText,
  keyTypes,
  readNote,
  readVerifierKey,
  signatureLine,
  verifierKey,
  verifyNoteSignature,
  writeNote,
  writeVerifierKey,
  type VerifierKey,
} from './note.ts'

const at = new Date('2026-06-01T00:00:00Z')
const encoded = (text: string) => new TextEncoder().encode(text)
const base64 = (...parts: Uint8Array[]) => Buffer.concat(parts).toString('base64')

type Party = { key: VerifierKey; privateKey: KeyObject }

function party(name: string, type: number = keyTypes.ed25519): Party {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(12)
  return { key: verifierKey(name, type, new Uint8Array(raw)), privateKey }
}

const log = party('log.example/one')
const root = new Uint8Array(32).fill(7)
const text = writeCheckpoint({ origin: log.key.name, size: 20852163n, root, extensions: [] })

/** Written by hand, so that the code under test does not make its own input. */
function lineBy({ key, privateKey }: Party, over = text, time = 1_767_225_600n): string {
  const id = Buffer.from(key.keyId, 'hex')
  if (key.type === keyTypes.ed25519) {
    return `— ${key.name} ${base64(id, sign(null, encoded(over), privateKey))}\n`
  }
  const seconds = Buffer.alloc(8)
  seconds.writeBigUInt64BE(time)
  const message = encoded(`cosignature/v1\ntime ${time}\n${over}`)
  return `— ${key.name} ${base64(id, seconds, sign(null, message, privateKey))}\n`
}

const signed = (...lines: string[]) => `${text}\n${lines.join('')}`
const examine = (note: string | Uint8Array, setting: Partial<CheckpointSetting> = {}) =>
  examineCheckpoint(typeof note === 'string' ? encoded(note) : note, { keys: [log.key], at, ...setting })
const findingsOf = async (note: string | Uint8Array, setting: Partial<CheckpointSetting> = {}) =>
  (await examine(note, setting)).findings

describe('checkpoints and notes made by others', () => {
  test('the key of the Go checksum database is read and written as it is published', () => {
    const published = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8'
    const body = 'go.sum database tree\n31048497\nLwZ1WYzmxYQO/1pcJBIKDIJ2Y7jnVVTfLpXnfp5S2xk=\n'
    const key = readVerifierKey(published)!
    expect(key).toMatchObject({ name: 'sum.golang.org', keyId: '033de0ae', type: 1 })
    expect(writeVerifierKey(key)).toBe(published)
    expect(readCheckpoint(body)).toMatchObject({ origin: 'go.sum database tree', size: 31048497n })
  })

  test('the example of the Go implementation is verified', async () => {
    const key = readVerifierKey('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k')!
    const line =
      '— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n'
    const note = readNote(encoded(`This is an example message.\n\n${line}`))!
    const [signature] = note.signatures
    expect(await verifyNoteSignature(note.text, signature!, key)).toEqual({ isRight: true, time: null })
    expect(await verifyNoteSignature(`${note.text}.\n`, signature!, key)).toMatchObject({ isRight: false })
    expect(signatureLine(signature!)).toBe(line)
  })

  test(`notes that OpenSSL signed are verified${withoutOpenssl}`, async ({ skip }) => {
    if (!hasOpenssl) skip()
    await openssl({ text, cosigned: `cosignature/v1\ntime 1700000000\n${text}` }, async (run) => {
      const made = (name: string, over: string, type: number) => {
        run('genpkey', '-algorithm', 'ed25519', '-out', `${over}.pem`)
        run('pkey', '-in', `${over}.pem`, '-pubout', '-outform', 'DER', '-out', `${over}.pub`)
        run('pkeyutl', '-sign', '-rawin', '-in', over, '-inkey', `${over}.pem`, '-out', `${over}.sig`)
        return {
          key: verifierKey(name, type, run('version').file(`${over}.pub`).subarray(12)),
          bytes: run('version').file(`${over}.sig`),
        }
      }
      const one = made('log.example/one', 'text', 1)
      const other = made('witness.example/w', 'cosigned', 4)
      const lines = [
        signatureLine({ name: one.key.name, keyId: one.key.keyId, bytes: one.bytes }),
        signatureLine({
          name: other.key.name,
          keyId: other.key.keyId,
          bytes: cosignatureBytes(1_700_000_000n, other.bytes),
        }),
      ]
      const setting = { keys: [one.key], witnesses: [other.key] }
      expect(await examine(signed(...lines), setting)).toMatchObject({
        findings: [],
        signedBy: ['log.example/one'],
        witnessedBy: [{ name: 'witness.example/w', at: new Date(1_700_000_000_000) }],
      })
    })
  })
})

describe('the signature of the log', () => {
  test('by a known key is found, whatever other signatures there are', async () => {
    const found = await examine(signed(lineBy(party('stranger')), lineBy(log), lineBy(party(log.key.name))))
    expect(found).toMatchObject({ findings: [], signedBy: [log.key.name], witnessedBy: [] })
    expect(found.checkpoint).toMatchObject({ origin: log.key.name, size: 20852163n })
  })

  test('by unknown keys only proves nothing', async () => {
    expect(await findingsOf(signed(lineBy(party('stranger'))))).toEqual(['log-key-unknown'])
    expect(await findingsOf(signed(lineBy(log)), { keys: [] })).toEqual(['log-key-unknown'])
  })

  test('that is wrong invalidates the note, even beside a right one', async () => {
    const wrong = lineBy(log, `${text}more\n`)
    expect(await findingsOf(signed(wrong))).toContain('wrong-signature')
    expect(await findingsOf(signed(lineBy(log), wrong))).toEqual(['wrong-signature'])
    expect(await findingsOf(signed(wrong, lineBy(log)))).toEqual(['wrong-signature'])
  })

  test('of one log does not count for another log whose key is known', async () => {
    const other = party('log.example/two')
    expect(await findingsOf(signed(lineBy(other)), { keys: [log.key, other.key] })).toEqual([
      'log-key-unknown',
    ])
    // A log may sign under a name that is not its origin if no other key has that name.
    expect(await findingsOf(signed(lineBy(other)), { keys: [other.key] })).toEqual([])
  })

  test('with a key that cannot be read is not reported as checked', async () => {
    expect(await findingsOf(signed(lineBy(log)), { keys: [log.key, null] })).toEqual(['bad-key'])
  })

  test('of an unknown type does not count', async () => {
    const unknown = { ...log.key, type: 6 }
    expect(await findingsOf(signed(lineBy(log)), { keys: [unknown] })).toEqual(['log-key-unknown'])
  })
})

describe('witnesses', () => {
  const [one, two, three] = ['a', 'b', 'c'].map((name) => party(`w.example/${name}`, keyTypes.cosignature))
  const witnesses = [one!.key, two!.key, three!.key]
  const by = (...parties: Party[]) => signed(lineBy(log), ...parties.map((each) => lineBy(each)))

  test('are counted; all of them are needed if no number is given', async () => {
    expect(await findingsOf(by(one!, two!), { witnesses, quorum: 2 })).toEqual([])
    expect(await findingsOf(by(one!), { witnesses, quorum: 2 })).toEqual(['witnesses-too-few'])
    expect(await findingsOf(by(one!, two!), { witnesses })).toEqual(['witnesses-too-few'])
    expect(await findingsOf(by(one!, two!, three!), { witnesses })).toEqual([])
    expect(await findingsOf(by(one!), { quorum: 1 })).toEqual(['witnesses-too-few'])
    expect(await findingsOf(by(), { witnesses, quorum: 0 })).toEqual([])
  })

  test('count once if repeated, under two names, or with two keys of one name', async () => {
    expect(await findingsOf(by(one!, one!), { witnesses, quorum: 2 })).toEqual(['witnesses-too-few'])
    const renamed = { ...one!, key: verifierKey('w.example/z', keyTypes.cosignature, one!.key.key) }
    const both = { witnesses: [one!.key, renamed.key], quorum: 2 }
    expect(await findingsOf(by(one!, renamed), both)).toEqual(['witnesses-too-few'])
    const second = party(one!.key.name, keyTypes.cosignature)
    const ofOneName = { witnesses: [one!.key, second.key], quorum: 2 }
    expect(await findingsOf(by(one!, second), ofOneName)).toEqual(['witnesses-too-few'])
  })

  test('are not the log itself, nor anybody who only signs the text', async () => {
    const itself = { ...log, key: verifierKey('w.example/itself', keyTypes.cosignature, log.key.key) }
    expect(await findingsOf(by(itself), { witnesses: [itself.key] })).toEqual(['witnesses-too-few'])
    const plain = party('w.example/plain')
    expect(await findingsOf(by(plain), { witnesses: [plain.key] })).toEqual(['witnesses-too-few'])
  })

  test('that signed something else invalidate the note; signatures from the future do not count', async () => {
    const wrong = signed(lineBy(log), lineBy(one!, `${text}more\n`))
    expect(await findingsOf(wrong, { witnesses, quorum: 0 })).toEqual(['wrong-signature'])
    const later = BigInt(at.getTime() / 1000 + 3600)
    const future = signed(lineBy(log), lineBy(one!, text, later))
    expect(await findingsOf(future, { witnesses, quorum: 1 })).toEqual(['witnesses-too-few'])
    const beyond = signed(lineBy(log), lineBy(one!, text, 2n ** 63n))
    expect(await findingsOf(beyond, { witnesses, quorum: 0 })).toEqual(['wrong-signature'])
  })

  test('of a note that the log has not signed prove nothing about the log', async () => {
    const note = signed(lineBy(one!), lineBy(two!))
    expect(await findingsOf(note, { witnesses, quorum: 2 })).toEqual(['log-key-unknown'])
  })
})

describe('the format of notes and keys', () => {
  const line = lineBy(log)
  const b64 = base64(root)
  const body = (...lines: string[]) => {
    const own = lines.map((one) => `${one}\n`).join('')
    return `${own}\n${lineBy(log, own)}`
  }
  const malformed: Record<string, string | Uint8Array> = {
    empty: '',
    'no signature': `${text}\n`,
    'no empty line': `${text}${line}`,
    'no newline at the end': signed(line).slice(0, -1),
    'a carriage return': signed(line).replaceAll('\n', '\r\n'),
    'a tab': body(log.key.name, '1', b64, 'a\tb'),
    'not UTF-8': Buffer.concat([Buffer.from([0xff]), encoded(signed(line))]),
    'a hyphen for the dash': signed(line.replace('—', '-')),
    'two spaces': signed(line.replace('— ', '—  ')),
    'no padding': signed(line.replace(/=+\n/, '\n')),
    'something behind the signature': signed(line.replace('\n', ' more\n')),
    'a plus in the name': signed(line.replace('log.example', 'log+example')),
    'a space of another kind in the name': signed(line.replace('log.example', 'log\u00a0example')),
    'only the id of a key': signed(`— ${log.key.name} ${base64(Buffer.from(log.key.keyId, 'hex'))}\n`),
    'more signatures than are taken': signed(...Array.from({ length: 101 }, () => line)),
    'two lines': body(log.key.name, '1'),
    'an empty line in the text': body(log.key.name, '1', b64, '', 'more'),
    'no origin': body('', '1', b64),
    'a leading zero': body(log.key.name, '01', b64),
    'a sign': body(log.key.name, '+1', b64),
    'a size of 65 bits': body(log.key.name, `${2n ** 64n}`, b64),
    'digits of another script': body(log.key.name, '١', b64),
    'a shorter root': body(log.key.name, '1', base64(root.subarray(1))),
    'a longer root': body(log.key.name, '1', base64(Buffer.concat([root, root]))),
    'a root with digits behind its end': body(log.key.name, '1', b64.replace(/.=$/, 'd=')),
    'a root of base64 for addresses': body(log.key.name, '1', base64(root.fill(7)).replaceAll('H', '-')),
    'the empty tree with another root': body(log.key.name, '0', b64),
  }

  test.each(Object.keys(malformed))('%s', async (name) => {
    expect(await findingsOf(malformed[name]!)).toEqual(['damaged'])
  })

  test('everything that the specification allows is accepted', async () => {
    expect(await findingsOf(body(log.key.name, '0', base64(emptyRoot())))).toEqual([])
    expect(await findingsOf(body(log.key.name, `${2n ** 64n - 1n}`, b64, 'an extension'))).toEqual([])
    const strangers = Array.from({ length: 15 }, (_, i) => lineBy(party(`s${i}`)))
    expect(await findingsOf(signed(...strangers, line))).toEqual([])
  })

  test.each([
    ['no key', ''],
    ['a wrong id', writeVerifierKey(log.key).replace(log.key.keyId, '00000000')],
    ['another name', `x${writeVerifierKey(log.key)}`],
    ['a shorter key', writeVerifierKey(verifierKey('a', 1, new Uint8Array(31)))],
    ['a space in the name', writeVerifierKey(verifierKey('a b', 1, new Uint8Array(32)))],
    ['no padding', writeVerifierKey(verifierKey('a', 9, new Uint8Array(33))).replace(/=+$/, '')],
  ])('a key with %s is not accepted', (_, written) => {
    expect(readVerifierKey(written)).toBeNull()
  })
})

test('a written checkpoint is read again', () => {
  const name = fc.stringMatching(/^[^\s+\u0000-\u0020\u0085\p{White_Space}]{1,20}$/u)
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 80 })
  fc.assert(
    fc.property(name, fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }), bytes, (origin, size, signature) => {
      const own = writeCheckpoint({ origin, size, root, extensions: [] })
      const note = { text: own, signatures: [{ name: origin, keyId: '0a0b0c0d', bytes: signature }] }
      const read = readNote(encoded(writeNote(note)))!
      expect(read).toEqual(note)
      expect(readCheckpoint(read.text)).toEqual({ origin, size, root, extensions: [] })
    }),
  )
})

test('10 000 mutations of a note: none causes an exception, and none with another content passes', async () => {
  const witness = party('w.example/a', keyTypes.cosignature)
  const original = encoded(signed(lineBy(log), lineBy(witness)))
  const setting = { witnesses: [witness.key], quorum: 1 }
  expect(await findingsOf(original, setting)).toEqual([])
  let state = 12345
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let i = 0; i < 10_000; i++) {
    const at = random(original.length)
    const changed = [
      () => original.with(at, original[at]! ^ (1 << random(8))),
      () => Uint8Array.from([...original.subarray(0, at), ...original.subarray(at + 1 + random(5))]),
      () => Uint8Array.from([...original.subarray(0, at), random(256), ...original.subarray(at)]),
      () => Uint8Array.from([...original, ...original.subarray(at)]),
    ][random(4)]!()
    const { findings, checkpoint } = await examine(changed, setting)
    if (findings.length === 0) expect(writeCheckpoint(checkpoint!)).toBe(text)
  }
}, 60_000)

test('the text that a witness signs is as in the specification', () => {
  expect(cosignedText('example.com/behind-the-sofa\n20852163\nCsUY\n', 1_679_315_147n)).toBe(
    'cosignature/v1\ntime 1679315147\nexample.com/behind-the-sofa\n20852163\nCsUY\n',
  )
})
