/**
 * The module kz.gov.pki.knca.commonUtils: positional arguments, responses {code, message?, responseObject?}. Arguments
 * of a wrong type, an empty digest and malformed XML are refused before the person is asked.
 */
import { readXml } from '../shared/xml/read-xml.ts'
import { signXml } from '../shared/xml/sign-xml.ts'
import { XmlError } from '../shared/xml/xml-error.ts'
import { anyKey, type KeyDemands } from './prompting/key-demands.ts'
import { keyInfoOf } from './key-info.ts'
import { ProgramError } from './prompting/program-error.ts'
import {
  decodedBase64,
  fileStorage,
  knownStorages,
  languageCalled,
  type Caller,
  type Program,
} from './program.ts'
import type { OwnKey, Request } from './prompting/prompts.ts'
import { addTimestamps, signDocument } from './sign-documents.ts'

export type CommonUtilsAnswer = { code: '200' | '500'; message?: string; responseObject?: unknown }

/** A refusal of the program, with a message if there is one. */
class NoError extends Error {}

type Method = (args: readonly unknown[], program: Program, caller: Caller) => Promise<unknown>

export async function commonUtils(
  method: string,
  args: unknown,
  program: Program,
  caller: Caller,
): Promise<CommonUtilsAnswer> {
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!run) return refused(`java.lang.NoSuchMethodException. Method: ${method}`)
  try {
    const result = await run(Array.isArray(args) ? args : [], program, caller)
    return { ...(result === undefined ? {} : { responseObject: result }), code: '200' }
  } catch (error) {
    if (error instanceof TypeMismatchError) {
      return refused(`java.lang.IllegalArgumentException: argument type mismatch. Method: ${method}`)
    }
    if (error instanceof NoError || error instanceof ProgramError || error instanceof XmlError) {
      return refused(error.message)
    }
    throw error
  }
}

function refused(message: string): CommonUtilsAnswer {
  return { code: '500', ...(message === '' ? {} : { message }) }
}

const methods: Record<string, Method> = {
  getActiveTokens: async (_, program) => [...program.tokens],

  async getKeyInfo(args, program, caller) {
    const [storage] = read(args, text)
    const key = await askForKey(program, caller, storage, '', { act: 'show-key', documents: 0, bytes: 0 })
    return keyInfoOf(key)
  },

  async createCAdESFromBase64(args, program, caller) {
    const [storage, keyType, data, isAttached] = read(args, text, text, text, flag)
    return signed(program, caller, storage, keyType, decodedBase64(data), { isAttached })
  },

  async createCAdESFromBase64Hash(args, program, caller) {
    const [storage, keyType, data] = read(args, text, text, text)
    if (data === '') throw new NoError('')
    return signed(program, caller, storage, keyType, decodedBase64(data), { isDigest: true })
  },

  async createCMSSignatureFromBase64(args, program, caller) {
    const [storage, keyType, data, isAttached] = read(args, text, text, text, flag)
    return signed(program, caller, storage, keyType, decodedBase64(data), { isAttached, hasTimestamp: true })
  },

  async createCAdESFromFile(args, program, caller) {
    const [storage, keyType, path, isAttached] = read(args, text, text, text, flag)
    return signed(program, caller, storage, keyType, await fileAt(program, path), { isAttached })
  },

  async createCMSSignatureFromFile(args, program, caller) {
    const [storage, keyType, path, isAttached] = read(args, text, text, text, flag)
    const document = await fileAt(program, path)
    return signed(program, caller, storage, keyType, document, { isAttached, hasTimestamp: true })
  },

  async applyCAdEST(args, program, caller) {
    const [storage, keyType, data] = read(args, text, text, text)
    const cms = decodedBase64(data)
    await askForKey(program, caller, storage, keyType, {
      act: 'add-timestamp',
      documents: 1,
      bytes: cms.length,
      hasTimestamp: true,
    })
    return inBase64(await addTimestamps(cms, program.stamp))
  },

  async signXml(args, program, caller) {
    const [storage, keyType, xml, signedPath, parentPath] = read(args, text, text, text, text, text)
    const [only] = await signedXmls(program, caller, storage, keyType, [xml], signedPath, parentPath)
    return only
  },

  async signXmls(args, program, caller) {
    const [storage, keyType, xmls, signedPath, parentPath] = read(args, text, text, texts, text, text)
    return signedXmls(program, caller, storage, keyType, xmls, signedPath, parentPath)
  },

  async showFileChooser(args, program, caller) {
    const [extension] = read(args, text, text)
    const answer = await program.ask(
      {
        ...quiet,
        ...from(caller),
        act: 'choose-file',
        extension: extension === 'ALL' ? null : extension,
        demands: null,
        hasStorage: program.files !== null,
      },
      caller.signal,
    )
    if (answer === 'cancelled' || !('file' in answer)) throw new NoError('action.canceled')
    return answer.file
  },

  async changeLocale(args, _, caller) {
    const [name] = read(args, text)
    caller.language = languageCalled(name) ?? caller.language
  },
}

const quiet = { documents: 0, bytes: 0, isAttached: false, hasTimestamp: false, extension: null }
const from = ({ origin, language }: Caller) => ({ origin, language })

async function askForKey(
  program: Program,
  caller: Caller,
  storage: string,
  keyType: string,
  what: Pick<Request, 'act' | 'documents' | 'bytes'> & Partial<Request>,
): Promise<OwnKey> {
  checkStorage(storage, program)
  const demands: KeyDemands = { ...anyKey, use: useOf(keyType) }
  const answer = await program.ask(
    { ...quiet, demands, hasStorage: true, ...from(caller), ...what },
    caller.signal,
  )
  if (answer === 'cancelled' || !('key' in answer)) throw new NoError('action.canceled')
  return answer.key
}

function checkStorage(storage: string, { tokens }: Program): void {
  if (storage === '') throw new NoError('storageName.param.empty')
  if (!knownStorages.includes(storage)) throw new NoError('storage.unknown')
  if (storage !== fileStorage && !tokens.includes(storage)) throw new NoError('storage.empty')
}

/** Anything but the two known words means any key. */
function useOf(keyType: string): KeyDemands['use'] {
  if (keyType === 'SIGNATURE') return 'signature'
  return keyType === 'AUTHENTICATION' ? 'authentication' : 'any'
}

async function signed(
  program: Program,
  caller: Caller,
  storage: string,
  keyType: string,
  document: Uint8Array,
  { isAttached = false, isDigest = false, hasTimestamp = false },
): Promise<string> {
  const key = await askForKey(program, caller, storage, keyType, {
    act: isDigest ? 'sign-digest' : 'sign-cms',
    documents: 1,
    bytes: document.length,
    isAttached,
    hasTimestamp,
  })
  const stamp = hasTimestamp ? program.stamp : null
  return inBase64(
    await signDocument(document, key, { isAttached, isDigest, stamp, signingTime: program.now() }),
  )
}

async function signedXmls(
  program: Program,
  caller: Caller,
  storage: string,
  keyType: string,
  xmls: readonly string[],
  signedPath: string,
  parentPath: string,
): Promise<string[]> {
  for (const xml of xmls) readXml(xml)
  const bytes = xmls.reduce((sum, xml) => sum + Buffer.byteLength(xml), 0)
  const what = { act: 'sign-xml', documents: xmls.length, bytes, isAttached: true } as const
  const key = await askForKey(program, caller, storage, keyType, what)
  const places = { signed: signedPath, parent: parentPath }
  const results: string[] = []
  for (const xml of xmls) results.push(await signXml(xml, key, 'broken lines', places))
  return results
}

async function fileAt({ files }: Program, path: string): Promise<Uint8Array> {
  const document = await files?.read(path)
  if (!document) throw new NoError('file.not_found')
  return document
}

const inBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

class TypeMismatchError extends Error {}

type Reader<T> = (value: unknown) => T

function read<T extends unknown[]>(
  args: readonly unknown[],
  ...readers: { [K in keyof T]: Reader<T[K]> }
): T {
  // each value is read by its own reader: the result is a tuple, which the type of map cannot express
  return readers.map((reader: Reader<unknown>, i) => reader(args[i])) as T
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeMismatchError()
  return value
}

function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new TypeMismatchError()
  return value
}

function texts(value: unknown): string[] {
  if (!Array.isArray(value)) throw new TypeMismatchError()
  return value.map(text)
}
