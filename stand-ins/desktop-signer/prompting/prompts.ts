/**
 * The pending requests of pages to the person:
 *
 *   ask ──▶ waiting ──a key that opens and fits───▶ answered
 *              │  └─ a wrong password three times ▶ BLOCKED_KEYSTORE_PASSWORD
 *              ├── cancel ────────────────────────▶ cancelled
 *              └── the requesting socket closes ──▶ gone
 *
 * Passwords and opened keys never leave this file: not into a log, not to a page.
 */
import { randomUUID } from 'node:crypto'
import type { Language } from '@kelisim/texts/languages.ts'
import type { Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { openPkcs12 } from '@kelisim/signature/signer/pkcs12.ts'
import type { CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { whyUnfit, type KeyDemands, type Unfitness } from './key-demands.ts'
import { ProgramError } from './program-error.ts'

export type Act =
  | 'sign-cms'
  | 'sign-digest'
  | 'sign-xml'
  | 'sign-raw'
  | 'add-timestamp'
  | 'show-key'
  | 'choose-file'

export type Request = {
  act: Act
  /** The requesting page; null: the request is from another program. */
  origin: string | null
  documents: number
  /** The size of all documents together. */
  bytes: number
  isAttached: boolean
  hasTimestamp: boolean
  language: Language
  /** Null: the request is for a file, and no key is needed. */
  demands: KeyDemands | null
  /** The extension of the files to choose from; null: any. */
  extension: string | null
  /** Whether an allowed key storage is available; if not, the person can only cancel. */
  hasStorage: boolean
}

export type OwnKey = CmsSigner & { alias: string }
export type PromptAnswer = { key: OwnKey } | { file: string } | 'cancelled'
export type Choice = { p12: Uint8Array; password: string } | { file: string } | 'cancel'

export type PromptResult =
  | 'answered'
  /** The requester has gone. */
  | 'gone'
  | 'wrong-password'
  | 'blocked'
  /** Not a key file, or an unreadable one. */
  | 'unreadable'
  | 'no-key'
  | Unfitness

export type Prompt = { id: string; request: Request; triesLeft: number }

export type Prompts = ReturnType<typeof createPrompts>

const tries = 3

export function createPrompts({ centres, now }: { centres: readonly Certificate[]; now: () => Date }) {
  type Waiting = Prompt & { settle: (answer: PromptAnswer | ProgramError) => void }
  const waiting = new Map<string, Waiting>()
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }

  function ask(request: Request, signal: AbortSignal): Promise<PromptAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<PromptAnswer>()
    const id = randomUUID()
    const leave = () => settle('cancelled')
    function settle(answer: PromptAnswer | ProgramError): void {
      waiting.delete(id)
      signal.removeEventListener('abort', leave)
      if (answer instanceof ProgramError) reject(answer)
      else resolve(answer)
      tell()
    }
    waiting.set(id, { id, request, triesLeft: tries, settle })
    signal.addEventListener('abort', leave)
    if (signal.aborted) leave()
    else tell()
    return promise
  }

  async function choose(id: string, choice: Choice): Promise<PromptResult> {
    const prompt = waiting.get(id)
    if (!prompt) return 'gone'
    if (choice === 'cancel') return answer(prompt, 'cancelled')
    const { demands } = prompt.request
    if ('file' in choice) return demands ? 'no-key' : answer(prompt, choice)
    if (!demands || !prompt.request.hasStorage) return 'no-key'

    const opened = await openPkcs12(choice.p12, choice.password)
    if (opened.outcome === 'wrong-password') return wrongPassword(prompt)
    if (opened.outcome !== 'opened') return 'unreadable'
    let reason: Unfitness | 'no-key' = 'no-key'
    for (const { key, certificate, friendlyName } of opened.contents.entries) {
      if (!certificate) continue
      const unfitness = await whyUnfit(certificate, demands, centres, now())
      if (!unfitness) return answer(prompt, { key: { key, certificate, alias: friendlyName ?? '' } })
      reason = unfitness
    }
    return reason
  }

  /** The person may have cancelled, or the page may have left, while the file was being opened. */
  function answer(prompt: Waiting, given: PromptAnswer): PromptResult {
    if (!waiting.has(prompt.id)) return 'gone'
    prompt.settle(given)
    return 'answered'
  }

  function wrongPassword(prompt: Waiting): PromptResult {
    prompt.triesLeft -= 1
    if (prompt.triesLeft > 0) return 'wrong-password'
    prompt.settle(new ProgramError('BLOCKED_KEYSTORE_PASSWORD'))
    return 'blocked'
  }

  return {
    ask,
    choose,
    /** In order of arrival. */
    waiting: (): Prompt[] => [...waiting.values()],
    find: (id: string): Prompt | null => waiting.get(id) ?? null,
    /** Ends a prompt with an error, if nobody is there to try again. */
    fail(id: string, error: ProgramError): void {
      waiting.get(id)?.settle(error)
    },
    /** Calls the listener at every change; the returned function unsubscribes. */
    watch(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
