/** The commands as people run them. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPkcs12 } from '@kelisim/signature/signer/pkcs12.ts'
import { readCommand, UsageError } from './arguments.ts'
import { allowTime, temporaryFolder } from './testing.ts'

allowTime()

const main = join(import.meta.dirname, 'main.ts')
/** Ends the process when its standard input, a pipe to the test, is closed. */
const endsWithUs =
  '--import=data:text/javascript,process.stdin.once("close",()=>process.exit(1)).resume().unref()'
const person = ['--surname', 'Ахметова', '--first-name', 'Айгүл', '--iin', '900101400123']
const secret = ['--password', 'Demo2026']

describe('commands beside a running centre', () => {
  const { folder, remove } = temporaryFolder()
  let centre: ChildProcess
  let url = ''

  beforeAll(async () => {
    centre = spawn(process.execPath, [endsWithUs, main, 'serve', '--port', '0', '--folder', folder])
    const said = await new Promise<string>((resolve, reject) => {
      centre.stdout!.once('data', (piece: Buffer) => resolve(piece.toString()))
      centre.once('error', reject)
    })
    url = said.split('\n')[0]!
  })
  afterAll(async () => {
    const ended = new Promise((resolve) => centre.once('exit', resolve))
    centre.kill('SIGTERM')
    expect(await ended).toBe(0)
    remove()
  })

  function run(...args: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args, '--folder', folder], {
      encoding: 'utf8',
    })
    return { status, output: stdout.trim(), problem: stderr.trim() }
  }

  test('a key is issued into a file of its own, listed, held, released and revoked', async () => {
    const role = ['--organization', 'ТОО "Ромашка"', '--bin', '123456789012', '--role', 'head']
    const issued = run('issue', ...person, ...secret, ...role)
    expect([issued.status, issued.problem]).toEqual([0, ''])
    const path = issued.output
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(path.startsWith(join(folder, 'people', 'GOST512_'))).toBe(true)
    expect(await openPkcs12(new Uint8Array(readFileSync(path)), 'Demo2026')).toMatchObject({
      outcome: 'opened',
    })

    const keyId = basename(path).slice('GOST512_'.length, -'.p12'.length)
    const all = JSON.parse(run('list', '--json').output) as { keyId: string; serial: string }[]
    const listed = all.find((entry) => entry.keyId === keyId)!
    expect(listed).toMatchObject({ status: 'good', subject: expect.stringContaining('OU=BIN123456789012') })
    const { serial } = listed
    expect(run('hold', keyId).output).toContain('on-hold')
    expect(run('unhold', serial).output).toContain('good')
    expect(run('revoke', serial.toUpperCase(), '--reason', 'keyCompromise').status).toBe(0)
    expect(run('list').output).toContain(`${serial}  key ${keyId}  revoked`)
    // the running centre lists the revocation in its CRL
    const list = await (await fetch(`${url}/crl/nca_gost_2022.crl`)).arrayBuffer()
    expect(Buffer.from(list).toString('hex')).toContain(serial)
    expect(run('revoke', keyId)).toEqual({
      status: 1,
      output: '',
      problem: 'The certificate is revoked already, and stays so',
    })
  })

  test('a command that is refused says why', () => {
    expect(run('revoke', '00ff')).toMatchObject({ status: 1, problem: 'No such certificate was issued here' })
    const simple = run('issue', ...person, '--password', 'simple')
    expect(simple).toMatchObject({ status: 1, problem: expect.stringContaining('A password has') })
  })

  test('a command that is wrongly used shows its usage', () => {
    const wrong = run('revoke')
    expect(wrong.status).toBe(64)
    expect(wrong.problem).toContain('npm run -s centre -- revoke')
    expect(run('help')).toMatchObject({ status: 0, problem: '' })
  })
})

describe('arguments', () => {
  const read = (...args: string[]) => readCommand(args, '/data')

  test('have defaults', () => {
    expect(read()).toEqual({ name: 'help', folder: '/data/certification-centre' })
    expect(read('serve')).toMatchObject({ port: 3310, host: '127.0.0.1', address: undefined })
    expect(read('issue', ...person, ...secret)).toMatchObject({
      order: { kind: 'gost-kz-512', use: 'signature', person: { patronymic: null } },
      out: '/data/certification-centre/people',
    })
    expect(read('revoke', 'AB:cd', '--folder', 'x')).toEqual({
      name: 'revoke',
      folder: 'x',
      which: { any: 'abcd' },
      reason: 'unspecified',
    })
  })

  test.each([
    [['explode'], 'There is no command'],
    [['serve', '--port', 'x'], 'is no port'],
    [['serve', 'now'], 'What is now?'],
    [['serve', '--iin', '1'], 'takes no --iin'],
    [['list', '--unknown'], 'unknown'],
    [['hold'], 'takes one'],
    [['hold', 'xyz'], 'in hexadecimal'],
    [['revoke', 'ab', '--reason', 'boredom'], '--reason must be one of'],
    [['issue', ...person], '--password is missing'],
    [['issue', ...person, ...secret, '--kind', 'dsa'], '--kind must be one of'],
    [['issue', ...person, ...secret, '--bin', '123456789012'], 'belong together'],
    [['issue', ...person, ...secret, '--not-after', 'soon'], 'is no time'],
  ])('%o: refused', (args, why) => {
    expect(() => read(...args)).toThrow(UsageError)
    expect(() => read(...args)).toThrow(why)
  })
})
