/** The dependencies of the program's modules, and their caller. */
import { isLanguage, type Language } from '@kelisim/texts/languages.ts'
import type { FileFolder } from './prompting/file-folder.ts'
import type { PromptAnswer, Request } from './prompting/prompts.ts'
import { ProgramError } from './prompting/program-error.ts'
import type { Stamp } from './timestamp-service.ts'

export type Program = {
  ask: (request: Request, signal: AbortSignal) => Promise<PromptAnswer>
  stamp: Stamp
  now: () => Date
  /** Names of the key storages that are plugged in, besides files. */
  tokens: readonly string[]
  /** Null: pages have no access to files. */
  files: FileFolder | null
}

/** The socket that calls. */
export type Caller = {
  origin: string | null
  language: Language
  signal: AbortSignal
}

export const fileStorage = 'PKCS12'

export const knownStorages: readonly string[] = [
  fileStorage,
  'JKS',
  'AKKaztokenStore',
  'AKKZIDCardStore',
  'AKEToken72KStore',
  'AKEToken5110Store',
  'AKJaCartaStore',
  'AKAKEYStore',
]

/** Kazakh has two names: `kk`, that of the language, and `kz`, which the program took from the country. */
export function languageCalled(name: string): Language | null {
  const language = name === 'kz' ? 'kk' : name
  return isLanguage(language) ? language : null
}

export function decodedBase64(text: string): Uint8Array {
  const compact = text.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact) || compact.length % 4 === 1) {
    throw new ProgramError(
      'IllegalArgumentException',
      'java.lang.IllegalArgumentException: Illegal base64 character',
    )
  }
  return new Uint8Array(Buffer.from(compact, 'base64'))
}
