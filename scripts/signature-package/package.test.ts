/** The package as users get it: packed, installed into an empty folder, used in plain Node, by types and bundled. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { pemOf } from '@kelisim/signature/asn1/pem.ts'
import { keyUsage } from '@kelisim/signature/signer/extensions.ts'
import { signDetached } from '@kelisim/signature/signer/sign-cms.ts'
import { zipOf } from '@kelisim/signature/testing/archives.ts'
import { foundNation, signedOn } from '@kelisim/signature/testing/nation.ts'
import { buildPackage } from './build.ts'

// Packing, installing and compiling take long on busy machines.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const folder = mkdtempSync(join(tmpdir(), 'kelisim-package-'))
const place = join(folder, 'empty')
const tools = join(import.meta.dirname, '../../node_modules/.bin')
const at = signedOn.toISOString()
let packed: { path: string }[]

function run(program: string, args: string[], cwd = place) {
  // The environment has nothing of this repository: no type stripping, no paths.
  const env = { PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`, HOME: folder }
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', env })
  return { status, stdout, stderr }
}

beforeAll(async () => {
  const made = join(folder, 'made')
  await buildPackage(made)
  const { stdout } = run('npm', ['pack', '--json'], made)
  packed = (JSON.parse(stdout) as { files: { path: string }[] }[])[0]!.files
  const archive = readdirSync(made).find((name) => name.endsWith('.tgz'))!
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{"type":"module"}')
  const installed = run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(made, archive)])
  expect(installed.status, installed.stderr).toBe(0)
  const nation = await foundNation('gost-kz-512')
  const document = new TextEncoder().encode('Шарт')
  const cms = await signDetached(document, nation.person, { signingTime: signedOn })
  const login = await nation.issue('AUTH', {
    extensions: [keyUsage('digitalSignature', 'keyEncipherment')],
  })
  const byLogin = await signDetached(document, login, { signingTime: signedOn })
  mkdirSync(join(place, 'files'))
  const files = {
    'root.pem': pemOf('CERTIFICATE', nation.root.der),
    'centre.cer': nation.centre.der,
    'set.zip': zipOf({ 'шарт.txt': document, 'sign_1.cms': cms }),
    'login.zip': zipOf({ 'шарт.txt': document, 'sign_1.cms': byLogin }),
    'files/шарт.txt': document,
    'files/шарт.txt.cms': cms,
  }
  for (const [name, contents] of Object.entries(files)) writeFileSync(join(place, name), contents)
})

afterAll(() => rmSync(folder, { recursive: true }))

test('the package contains code, types, examples and documentation, and nothing else', () => {
  const names = packed.map(({ path }) => path)
  expect(names).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'index.js', 'kelisim-verify.js', 'package.json']),
  )
  const others = names.filter(
    (name) => !/^(?:LICENSE|README\.md|package\.json|[\w-]+\.js|types\/.+\.d\.ts|examples\/.+)$/.test(name),
  )
  expect(others).toEqual([])
  expect(names.filter((name) => /test|testing|signer\//.test(name))).toEqual([])
})

test('the package works in plain Node', () => {
  const program = `
    import { readFileSync } from 'node:fs'
    import { verify } from '@kelisim/signature'
    const options = { roots: [readFileSync('root.pem')], certs: [readFileSync('centre.cer')], at: new Date('${at}'), isRevocationChecked: false }
    const report = await verify([{ name: 'set.zip', bytes: readFileSync('set.zip') }], options)
    const login = await verify([{ name: 'login.zip', bytes: readFileSync('login.zip') }], options)
    console.log(JSON.stringify({ ...report, loginCode: login.code }))`
  writeFileSync(join(place, 'program.js'), program)
  const { status, stdout, stderr } = run(process.execPath, ['program.js'])
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    verdict: 'TOTAL-PASSED',
    notCovered: [],
    loginCode: 'DS-412',
    signers: [{ commonName: 'ТЕСТОВ ТЕСТ', document: 'шарт.txt', format: 'CMS', covers: 'whole-file' }],
  })
})

test('the package has a command that prints the same JSON', () => {
  const command = join(place, 'node_modules/.bin/kelisim-verify')
  const trust = ['--roots', 'root.pem', '--certs', 'centre.cer', '--at', at]
  const passed = run(command, [...trust, '--no-revocation', 'set.zip'])
  expect(passed.stderr).toBe('')
  expect(JSON.parse(passed.stdout)).toMatchObject({
    verdict: 'TOTAL-PASSED',
    signers: [{ iin: '900101300123' }],
  })
  expect(passed.status).toBe(0)
  // No evidence tells whether the certificate was revoked, and no service is asked.
  expect(run(command, [...trust, 'set.zip'])).toMatchObject({ status: 2 })
  expect(run(command, [...trust, '--no-revocation', 'files/шарт.txt', 'files/шарт.txt.cms'])).toMatchObject({
    status: 0,
  })
  expect(run(command, [...trust, '--no-revocation', 'login.zip'])).toMatchObject({
    status: 2,
    stdout: expect.stringContaining('DS-412') as string,
  })
  expect(run(command, ['set.zip'])).toMatchObject({ status: 64, stdout: '' })
  expect(run(command, [...trust, '--online', 'set.zip'])).toMatchObject({ status: 64 })
})

test('the package has types that a strict compiler accepts, and an example that runs', () => {
  const program = `
    import { verify, type SignatureReport } from '@kelisim/signature'
    export async function signers(bytes: Uint8Array, root: Uint8Array): Promise<SignatureReport['signers']> {
      return (await verify([{ name: 'a.zip', bytes }], { roots: [root] })).signers
    }
    // @ts-expect-error: what is trusted must be said
    void verify([], {})`
  writeFileSync(join(place, 'program.ts'), program)
  const options = '--strict --noEmit --module nodenext --target es2024 --lib es2024,dom --types'.split(' ')
  const compiled = run(join(tools, 'tsc'), [...options, '', 'program.ts'])
  expect(compiled.stdout).toBe('')
  const example = join(place, 'node_modules/@kelisim/signature/examples/verify-folder.mjs')
  const shown = run(process.execPath, [example, 'files', 'root.pem', 'centre.cer'])
  expect(shown.stdout).toContain('шарт.txt: ТЕСТОВ ТЕСТ')
})

test('the package can be bundled for a browser, without modules of Node', async () => {
  const entry = join(place, 'page.js')
  writeFileSync(entry, "export { verify } from '@kelisim/signature'")
  const bundle = await rolldown({ input: entry, platform: 'browser', cwd: place, logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'iife', name: 'engine' })
  await bundle.close()
  expect(output).toHaveLength(1)
  const [{ code, imports }] = output
  expect(imports).toEqual([])
  const web = {
    TextEncoder,
    TextDecoder,
    Blob,
    crypto,
    atob,
    btoa,
    WebAssembly,
    DecompressionStream,
    console,
  }
  const context = createContext({ ...web })
  runInContext(`${code}; globalThis.engine = engine`, context)
  const engine = context['engine'] as typeof import('./index.ts')
  const nation = await foundNation('gost-kz-512')
  const bytes = zipOf({
    'a.cms': await signDetached(new Uint8Array(3), nation.person, { signingTime: signedOn }),
    a: new Uint8Array(3),
  })
  const roots = [nation.root.der]
  const options = { roots, certs: [nation.centre.der], at: signedOn, isRevocationChecked: false }
  expect(await engine.verify([{ name: 'a.zip', bytes }], options)).toMatchObject({ verdict: 'TOTAL-PASSED' })
})
