/** The signature engine in the browser: the same code as on the server, bundled like the site. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, test } from './fixtures.ts'

const root = join(import.meta.dirname, '..')
const vectors = join(root, 'signature/fixtures/vectors')

type Case = {
  id: string
  expect: 'valid' | 'invalid'
  file: string
  content?: string
  trust: string[]
  intermediates: string[]
  at: string
}
type Engine = { examine: (one: Record<string, unknown>) => Promise<string[]> }

const entry = `
import { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import { defaultPolicy, evidenceAtHand } from '@kelisim/signature/examination/policy.ts'
const bytes = (base64) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
globalThis.examine = async ({ signature, content, roots, others, at }) => {
  const trust = { roots: roots.map((one) => readCertificate(bytes(one))), others: others.map((one) => readCertificate(bytes(one))) }
  const setting = { trust, evidence: evidenceAtHand({ crls: [], ocsp: [] }), policy: { ...defaultPolicy, revocation: 'none' }, at: new Date(at) }
  const { findings, signers } = await examineSignature(bytes(signature), content && [bytes(content)], setting)
  return [...findings, ...signers.flatMap((signer) => signer.findings)]
}`

async function bundled(): Promise<string> {
  const name = 'virtual:engine'
  const result = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name,
        resolveId: (id) => (id === name ? `\0${name}` : null),
        load: (id) => (id === `\0${name}` ? entry : null),
      },
    ],
    build: { write: false, target: 'es2022', rolldownOptions: { input: name, output: { format: 'es' } } },
  })
  const [output] = Array.isArray(result) ? result : [result]
  if (!output || !('output' in output)) throw new Error('Nothing was built')
  return output.output[0].code
}

test('vectors made by other software get the same verdicts in Chromium', async ({ stranger, baseURL }) => {
  const page = await stranger()
  const code = await bundled()
  expect(code).not.toMatch(/from\s*["']node:/)
  // a page of ours without the application, and with the policy that pages with the engine need
  await page.route('**/engine-test', (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'content-security-policy': "script-src 'nonce-engine' 'wasm-unsafe-eval'" },
      body: `<!doctype html><title>Engine</title><script type="module" nonce="engine">${code}</script>`,
    }),
  )
  await page.goto(`${baseURL}/engine-test`)
  await page.waitForFunction(() => 'examine' in globalThis)

  const base64 = (file: string) => readFileSync(join(vectors, file)).toString('base64')
  const { cases } = JSON.parse(readFileSync(join(vectors, 'manifest.json'), 'utf8')) as { cases: Case[] }
  // the two that are invalid only by the response of a service are checked elsewhere
  const alone = cases.filter(({ id }) => !id.includes('revoked'))
  for (const one of alone) {
    const given = {
      signature: base64(one.file),
      content: one.content === undefined ? null : base64(one.content),
      roots: one.trust.map(base64),
      others: one.intermediates.map(base64),
      at: one.at,
    }
    const found = await page.evaluate((input) => (globalThis as unknown as Engine).examine(input), given)
    expect(found.length === 0, `${one.id}: ${found.join()}`).toBe(one.expect === 'valid')
  }
  expect(alone.length).toBeGreaterThan(15)
})
