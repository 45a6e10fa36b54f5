import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import { writePkcs12 } from '@kelisim/signature/signer/pkcs12.ts'
import { signDetached } from '@kelisim/signature/signer/sign-cms.ts'
import { pemOf } from '@kelisim/signature/asn1/pem.ts'
import { newRecord } from '@kelisim/signature/evidence-records/write.ts'
import { xmlRecord } from '@kelisim/signature/evidence-records/write-xml.ts'
import { serviceOf, timestampOver } from '@kelisim/signature/testing/records.ts'
import { zipOf } from '@kelisim/signature/testing/archives.ts'
import { foundNation, signedOn } from '@kelisim/signature/testing/nation.ts'
import { contract, pageText, signed, withObjects } from '@kelisim/signature/testing/pdf-files.ts'
import { signedXml } from '@kelisim/signature/testing/xml-files.ts'
import { runManifest, type CaseResult } from './manifest.ts'

async function results(path: string): Promise<CaseResult[]> {
  const all: CaseResult[] = []
  for await (const result of runManifest(path)) all.push(result)
  return all
}

test('test vectors made by other software get the expected verdict', async () => {
  const fixtures = join(import.meta.dirname, '../../signature/fixtures/vectors/manifest.json')
  const all = await results(fixtures)
  expect(all).toHaveLength(20)
  expect(all.filter(({ ok }) => !ok)).toEqual([])
})

describe('cases of a manifest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kelisim-manifest-'))
  const file = (name: string, contents: Uint8Array | string) => {
    writeFileSync(join(folder, name), contents)
    return name
  }
  const document = new TextEncoder().encode('abc')
  const common = { trust: ['root.cer'], intermediates: ['centre.cer'], at: signedOn.toISOString() }
  let cases: Record<string, unknown>[]

  beforeAll(async () => {
    const nation = await foundNation('gost-kz-512')
    const { person } = nation
    const other = await foundNation('gost-kz-512', 'Other')
    file('root.cer', nation.root.der)
    file('centre.cer', nation.centre.der)
    file('doc', document)
    file('other', 'abd')
    file('leaf.cer', person.certificate.der)
    file('foreign.cer', other.person.certificate.der)
    file('token', await nation.stamp(document))
    file(
      'key.p12',
      writePkcs12(
        { key: person.key, certificates: [person.certificate.der], friendlyName: 'key' },
        'Qwerty12',
      ),
    )
    const leafSha256 = toHex(hash('sha-256', person.certificate.der))
    const digest = toHex(hash('streebog-512', document))
    const pdf = await signed(contract(), person, { at: signedOn })
    file('signed.pdf', pdf.bytes)
    file('changed.pdf', withObjects(pdf, { 4: pageText('Contract for 900 tonnes') }).bytes)
    const xml = await signedXml('<order><sum>100</sum></order>', person)
    file('signed.xml', xml)
    file('changed.xml', xml.replace('100', '900'))
    const cms = await signDetached(document, person, { signingTime: signedOn })
    const abd = new TextEncoder().encode('abd')
    file('set.zip', zipOf({ doc: document, 'doc.sig': cms }))
    file('other.zip', zipOf({ doc: abd, 'doc.sig': cms }))
    file('more.zip', zipOf({ doc: document, 'doc.sig': cms, more: abd }))
    file('cms.zip', zipOf({ 'doc.sig': cms }))
    const other256 = hash('sha-256', abd)
    const pair = [document, abd].map((one) => hash('sha-256', one))
    const clock = await serviceOf(nation, 2026, 2029)
    const over = (group: Uint8Array[]) =>
      timestampOver(group, { by: clock, at: signedOn, others: [other256] })
    const single = await over([pair[0]!])
    file('one.er', newRecord(single))
    file('one.xml', xmlRecord([[single]]))
    file('two.er', pemOf('EVIDENCE RECORD', newRecord(await over(pair))))
    file('cut.er', newRecord(single).subarray(0, 100))
    const er = { type: 'er', roots: ['root.cer'], certs: ['centre.cer'], at: signedOn.toISOString() }
    const named = { roots: ['root.cer'], certs: ['centre.cer'], at: signedOn.toISOString() }
    cases = [
      { id: 'er', ...er, expect: 'valid', file: 'one.er', content: ['doc'] },
      { id: 'er-xml', ...er, expect: 'valid', file: 'one.xml', content: ['doc'] },
      { id: 'er-text', ...er, expect: 'valid', file: 'one.er', content: 'doc' },
      { id: 'er-two', ...er, expect: 'valid', file: 'two.er', content: ['doc', 'other'] },
      { id: 'er-other', ...er, expect: 'invalid', file: 'one.er', content: ['other'] },
      { id: 'er-more', ...er, expect: 'invalid', file: 'one.er', content: ['doc', 'other'] },
      { id: 'er-cut', ...er, expect: 'invalid', file: 'cut.er', content: ['doc'] },
      { id: 'er-late', ...er, expect: 'indeterminate', file: 'one.er', content: ['doc'], at: '2031-01-01' },
      { id: 'er-roots', ...er, expect: 'indeterminate', file: 'one.er', content: ['doc'], roots: undefined },
      { id: 'zip', type: 'zip', expect: 'valid', file: 'set.zip', ...named },
      { id: 'zip-other', type: 'zip', expect: 'invalid', file: 'other.zip', ...named },
      { id: 'zip-more', type: 'zip', expect: 'indeterminate', file: 'more.zip', ...named },
      { id: 'zip-content', type: 'zip', expect: 'valid', file: 'cms.zip', content: 'doc', ...named },
      {
        id: 'zip-content-other',
        type: 'zip',
        expect: 'invalid',
        file: 'cms.zip',
        content: 'other',
        ...named,
      },
      { id: 'zip-alone', type: 'zip', expect: 'indeterminate', file: 'cms.zip', ...named },
      { id: 'chain', kind: 'chain', expect: 'valid', file: 'leaf.cer', ...common },
      { id: 'chain-foreign', kind: 'chain', expect: 'invalid', file: 'foreign.cer', ...common },
      { id: 'tsp', kind: 'tsp', expect: 'valid', file: 'token', content: 'doc', ...common },
      { id: 'tsp-other', kind: 'tsp', expect: 'invalid', file: 'token', content: 'other', ...common },
      { id: 'p12', kind: 'p12', expect: 'valid', file: 'key.p12', password: 'Qwerty12', leafSha256 },
      {
        id: 'p12-password',
        kind: 'p12',
        expect: 'invalid',
        file: 'key.p12',
        password: 'Qwerty13',
        leafSha256,
      },
      {
        id: 'p12-other',
        kind: 'p12',
        expect: 'invalid',
        file: 'key.p12',
        password: 'Qwerty12',
        leafSha256: '00',
      },
      { id: 'digest', kind: 'digest', expect: 'valid', file: 'doc', alg: 'streebog512', digest },
      { id: 'digest-oid', kind: 'digest', expect: 'valid', file: 'doc', alg: '1.2.398.3.10.1.3.3', digest },
      { id: 'digest-other', kind: 'digest', expect: 'invalid', file: 'doc', alg: 'gost34311-95', digest },
      { id: 'optional', kind: 'chain', expect: 'valid', file: 'foreign.cer', optional: true, ...common },
      { id: 'pdf', type: 'pdf', expect: 'valid', file: 'signed.pdf', ...named },
      { id: 'pdf-changed', type: 'pdf', expect: 'invalid', file: 'changed.pdf', ...named },
      {
        id: 'pdf-unknown',
        type: 'pdf',
        expect: 'indeterminate',
        file: 'signed.pdf',
        ...named,
        roots: ['foreign.cer'],
      },
      { id: 'xml', type: 'xml', expect: 'valid', file: 'signed.xml', ...named },
      { id: 'xml-changed', type: 'xml', expect: 'invalid', file: 'changed.xml', ...named },
      { id: 'slow', kind: 'chain', expect: 'valid', file: 'leaf.cer', maxMs: 0, ...common },
    ]
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  test('of every kind get the expected verdict', async () => {
    const path = join(folder, file('manifest.json', JSON.stringify({ cases })))
    const all = await results(path)
    expect(all.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual(['slow'])
    expect(all.find(({ id }) => id === 'chain-foreign')).toMatchObject({
      verdict: 'INDETERMINATE',
      code: 'DS-406',
    })
  })

  test('with a bare signature accept every name of a curve', async () => {
    const numbers = rawSignature()
    const names = [
      '1.2.643.2.2.35.1',
      'GostR3410-2001-CryptoPro-A',
      'Gost34310-2004-PKIGOVKZ-A',
      'cryptopro-a',
    ]
    const raw = names.map((curve) => ({ id: curve, kind: 'raw', expect: 'valid', curve, ...numbers }))
    const wrong = { ...raw[0]!, id: 'wrong', expect: 'invalid', s: '1' }
    const offCurve = { ...raw[0]!, id: 'off the curve', expect: 'invalid', y: '2' }
    const zero = { ...raw[0]!, id: 'zero', expect: 'invalid', r: '0' }
    const path = join(folder, file('raw.json', JSON.stringify({ cases: [...raw, wrong, offCurve, zero] })))
    expect((await results(path)).filter(({ ok }) => !ok)).toEqual([])
  })

  test('are refused in an invalid manifest', async () => {
    await expect(results(join(folder, file('bad.json', '{')))).rejects.toThrow('is not a manifest')
    await expect(results(join(folder, file('empty.json', '{}')))).rejects.toThrow('is not a manifest')
  })

  test('that cannot be judged are reported with their error, and the others are judged', async () => {
    const good = { id: 'good', kind: 'digest', expect: 'valid', file: 'doc', alg: 'sha256' }
    const strange = [
      { id: 'kind', kind: 'poem', expect: 'valid' },
      { id: 'expect', kind: 'cms' },
      { id: 'file', kind: 'cms', expect: 'invalid', file: 'nowhere.cms' },
      { id: 'field', kind: 'p12', expect: 'valid', file: 'doc', password: 'x' },
      { id: 'at', kind: 'cms', expect: 'invalid', file: 'doc', at: 'soon' },
      null,
      // a key file that must not open has no certificate to compare with
      { id: 'p12', kind: 'p12', expect: 'invalid', file: 'doc', password: 'x' },
      { ...good, digest: toHex(hash('sha-256', document)) },
    ]
    const all = await results(join(folder, file('strange.json', JSON.stringify({ cases: strange }))))
    expect(all.map(({ id, ok, error }) => [id, ok, error !== undefined])).toEqual([
      ['kind', false, true],
      ['expect', false, true],
      ['file', false, true],
      ['field', false, true],
      ['at', false, true],
      ['', false, true],
      ['p12', true, false],
      ['good', true, false],
    ])
  })
})

/** With secret 1 the key is G; nonce 1 and a digest of number 1 give r = G.x = 1 and s = r·d + k·e = 2. */
function rawSignature() {
  return {
    hash: `01${'00'.repeat(31)}`,
    x: '1',
    y: '8d91e471e0989cda27df505a453f2b7635294f2ddf23e3b122acc99c9e9f1e14',
    r: '1',
    s: '2',
  }
}

describe('heads of a log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kelisim-manifest-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('are judged by the keys of the log and of its witnesses', async () => {
    const log = noteParty('log.example')
    const [one, two] = [noteParty('w.example/1', 4), noteParty('w.example/2', 4)]
    const text = `log.example\n2\n${Buffer.alloc(32, 7).toString('base64')}\n`
    const note = (...lines: string[]) => `${text}\n${lines.join('')}`
    const file = (name: string, contents: string) => writeFileSync(join(folder, name), contents)
    file('head', note(log.line(text), one.line(text), one.line(text)))
    file('wrong', note(log.line(`${text}x\n`)))
    file('broken', text)
    file('witnesses.txt', `# ours\n${one.vkey}\n${two.vkey}\n`)
    const base = { type: 'checkpoint', file: 'head', keys: [log.vkey] }
    const witnesses = [one.vkey, two.vkey]
    const cases = [
      { ...base, id: 'signed', expect: 'valid' },
      { ...base, id: 'witnessed', expect: 'valid', witnesses, quorum: 1 },
      { ...base, id: 'too few', expect: 'indeterminate', witnesses, quorum: 2 },
      { ...base, id: 'all are needed', expect: 'indeterminate', witnesses },
      { ...base, id: 'keys in a file', expect: 'valid', witnesses: ['witnesses.txt'], quorum: 1 },
      { ...base, id: 'unknown key', expect: 'indeterminate', keys: [noteParty('log.example').vkey] },
      { ...base, id: 'not a key', expect: 'indeterminate', keys: ['nothing'] },
      { ...base, id: 'wrong signature', expect: 'invalid', file: 'wrong' },
      { ...base, id: 'no note', expect: 'invalid', file: 'broken' },
    ]
    file('manifest.json', JSON.stringify({ cases }))
    const all = await results(join(folder, 'manifest.json'))
    expect(all.filter(({ ok }) => !ok)).toEqual([])
    expect(all.map(({ verdict }) => verdict)).toEqual([
      'TOTAL-PASSED',
      'TOTAL-PASSED',
      'INDETERMINATE',
      'INDETERMINATE',
      'TOTAL-PASSED',
      'INDETERMINATE',
      'INDETERMINATE',
      'TOTAL-FAILED',
      'TOTAL-FAILED',
    ])
  })
})

/** A signer of notes that uses Node's own functions. */
function noteParty(name: string, type: 1 | 4 = 1) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(12)
  const typed = Buffer.concat([Buffer.of(type), raw])
  const id = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4)
  const time = 1_767_225_600
  const seconds = Buffer.alloc(8)
  seconds.writeBigUInt64BE(BigInt(time))
  return {
    vkey: `${name}+${id.toString('hex')}+${typed.toString('base64')}`,
    line(text: string): string {
      const message = type === 1 ? text : `cosignature/v1\ntime ${time}\n${text}`
      const signature = sign(null, Buffer.from(message), privateKey)
      const bytes = type === 1 ? [id, signature] : [id, seconds, signature]
      return `— ${name} ${Buffer.concat(bytes).toString('base64')}\n`
    },
  }
}
