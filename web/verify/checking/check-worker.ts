/** Runs the engine in a worker, so that the page stays responsive. */
import { askRevocation, getTrust } from '@kelisim/domain/verify/contract.ts'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import { getLogKeys } from '@kelisim/domain/transparency/contract.ts'
import { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
import type * as z from 'zod/mini'
import type { Failure, FromWorker, PageQuestion, ToWorker } from './check-messages.ts'
import { checkFiles } from './check-files.ts'
import { keepSeenKeys, readSeenKeys } from './log-key-store.ts'
import { logKeysOf, withPublished, type LogKeys } from './log-keys.ts'
import type { Unasked } from './report.ts'
import { keepTrust, readKeptTrust, type KnownTrust } from './trust-store.ts'
import { startOf, type InputFile } from '@kelisim/signature/container/input-file.ts'

const say = (message: FromWorker) => postMessage(message)
const waiting = new Map<number, (files: InputFile[]) => void>()
let asked = 0

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if ('check' in data) void run(data.check, data.at)
  else if ('remember' in data) void remember(data.remember)
  else {
    waiting.get(data.answerTo)?.(data.files)
    waiting.delete(data.answerTo)
  }
})

async function run(files: InputFile[], at: Date): Promise<void> {
  try {
    const [{ trusted, keptAt }, logKeys] = await Promise.all([knownTrust(at), knownLogKeys(at)])
    const unasked: Unasked = { revocation: false, trustKeptAt: keptAt }
    const certificates = (all: string[]) => all.map((one) => readCertificate(bytesIn(one)))
    const report = await checkFiles(files, {
      trust: { roots: certificates(trusted.roots), others: certificates(trusted.centres) },
      isDemo: trusted.isDemo,
      logKeys,
      askRevocation: async (question) => {
        const answer = await ask(askRevocation, question).catch(() => {
          unasked.revocation = true
          return null
        })
        return answer?.ocspResponse ? bytesIn(answer.ocspResponse) : null
      },
      attachmentsOf: (blob) => askPage({ name: '', blob }, 'attachments'),
      codesIn: codesOnPaper,
      at,
      onProgress: (progress) => say({ progress }),
    })
    say({ report: { ...report, unasked } })
  } catch (error) {
    say({ failure: failureOf(error) })
  }
}

function askPage(pdf: InputFile, wanted: PageQuestion['wanted']): Promise<InputFile[]> {
  return new Promise((resolve) => {
    waiting.set(++asked, resolve)
    say({ ask: asked, pdf, wanted })
  })
}

async function codesOnPaper(file: InputFile): Promise<string[]> {
  const isPdf = new TextDecoder().decode(await startOf(file.blob, 5)) === '%PDF-'
  const pictures = isPdf ? await askPage(file, 'pages') : [file]
  if (pictures.length === 0) return []
  const { codesIn } = await import('../paper/open-reader.ts')
  const texts: string[] = []
  for (const [i, { blob }] of pictures.entries()) {
    say({ progress: { file: file.name, done: pictures.length + i, total: 2 * pictures.length } })
    texts.push(...(await codesIn(blob)))
  }
  return texts
}

/** Stores trust and log keys for a later visit without a network. */
async function remember(at: Date): Promise<void> {
  await Promise.all([knownTrust(at), knownLogKeys(at)]).catch(() => {})
  say({ remembered: true })
}

/** Whom this installation trusts; without a network, the stored answer of an earlier visit. */
async function knownTrust(now: Date): Promise<{ trusted: KnownTrust; keptAt: Date | null }> {
  try {
    const trusted = await ask(getTrust, {})
    await keepTrust(trusted, now)
    return { trusted, keptAt: null }
  } catch (error) {
    const kept = error instanceof Unreachable ? await readKeptTrust() : null
    if (!kept) throw error
    return { trusted: kept.trust, keptAt: kept.at }
  }
}

/** Bypasses the HTTP cache, because a cached answer could hide a change of the key. */
async function knownLogKeys(now: Date): Promise<LogKeys> {
  const [seen, published] = await Promise.all([
    readSeenKeys(),
    ask(getLogKeys, {}, 'no-cache').then(
      (answer) => answer,
      () => null,
    ),
  ])
  const all = published === null ? seen : withPublished(seen, published.keys, now)
  await keepSeenKeys(all)
  return logKeysOf(all, published?.keys ?? null, published?.witnesses)
}

class Unreachable extends Error {}

function failureOf(error: unknown): Failure {
  if (error instanceof Unreachable) return 'trust'
  // The file was changed or removed while it was read, or there is not enough memory.
  const isOfReading = error instanceof DOMException || error instanceof RangeError
  return isOfReading ? 'memory' : 'broken'
}

/** The few network calls of the check; none of them sends a file. */
async function ask<I extends z.ZodMiniType, R extends z.ZodMiniType>(
  { method, path }: Endpoint<'anyone', I, R>,
  input: z.input<I>,
  cache: RequestCache = 'default',
): Promise<z.output<R>> {
  const isGet = method === 'GET'
  const body = isGet ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) }
  const signal = AbortSignal.timeout(30_000)
  const response = await fetch(path, { method, cache, ...body, signal }).catch(() => {
    throw new Unreachable()
  })
  if (!response.ok) throw new Unreachable()
  return (await response.json()) as z.output<R>
}

function bytesIn(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
