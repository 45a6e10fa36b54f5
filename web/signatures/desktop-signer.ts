/**
 * The connection to the desktop signing program. All other code asks this module for signatures and gets them or a
 * fault with a text.
 */
import type { ProgramFault } from '@kelisim/domain/signatures/signing-program.ts'

export type DesktopSigner = {
  /**
   * Returns one detached CMS for each content; both are base64. The person chooses the key in the window of the
   * program.
   */
  signDetached: (
    contents: readonly string[],
    options: { withTimestamp: boolean; locale: string },
  ) => Promise<string[]>
  /** Returns each XML document with a signature inside that covers the whole document. */
  signXml: (documents: readonly string[], options: { locale: string }) => Promise<string[]>
  close: () => void
}

export type SignerSettings = {
  url: string
  /** Whether keys of any certification centre may be chosen; the server decides what is accepted in any case. */
  acceptsAnyChain: boolean
}

export class SigningError extends Error {
  readonly fault: ProgramFault
  constructor(fault: ProgramFault, options?: ErrorOptions) {
    super(fault, options)
    this.name = 'SigningError'
    this.fault = fault
  }
}

type BasicsSign = (
  storages: string[] | null,
  data: string[],
  signing: object,
  signer: object,
  locale: string,
) => Promise<string | string[]>

/** The part of the client library that is used here. */
export type Program = {
  connect: () => Promise<unknown>
  basicsSignCMS: BasicsSign
  basicsSignXML: BasicsSign
  wsConnection: { close: () => void } | null
}

const answerTimeout = 5000

export async function connectDesktopSigner(
  { url, acceptsAnyChain }: SignerSettings,
  open: (url: string) => Promise<Program> = openProgram,
  giveUp: () => Promise<unknown> = () => new Promise((resolve) => setTimeout(resolve, answerTimeout)),
): Promise<DesktopSigner> {
  const program = await open(url)
  const close = () => program.wsConnection?.close()
  const isThere = await Promise.race([
    program.connect().then(
      () => true,
      () => false,
    ),
    giveUp().then(() => false),
  ])
  if (!isThere) {
    close()
    throw new SigningError('program-not-running')
  }

  // The program responds in the order of the requests, without saying which one it responds to.
  let last: Promise<unknown> = Promise.resolve()
  // The person may choose any key: the server refuses wrong keys and says why.
  const chooser = { extKeyUsageOids: [], ...(acceptsAnyChain && { chain: [] }) }
  function inTurn(ask: () => Promise<string[]>): Promise<string[]> {
    const signed = last.then(async () => {
      try {
        return await ask()
      } catch (error) {
        throw error instanceof SigningError ? error : new SigningError(faultOf(error), { cause: error })
      }
    })
    last = signed.catch(() => {})
    return signed
  }
  return {
    close,
    signDetached(contents, { withTimestamp, locale }) {
      const parameters = {
        decode: true,
        encapsulate: false,
        digested: false,
        ...(withTimestamp && { tsaProfile: {} }),
      }
      return inTurn(async () => {
        const result = await program.basicsSignCMS(null, [...contents], parameters, chooser, locale)
        return bodiesOf(result, contents.length)
      })
    },
    signXml: (documents, { locale }) =>
      inTurn(async () => {
        const result = await program.basicsSignXML(null, [...documents], {}, chooser, locale)
        return allOf(result, documents.length)
      }),
  }
}

/** The library detects a cancellation; other failures are texts of the program that contain its code. */
export function faultOf(error: unknown): ProgramFault {
  if (!(error instanceof Error)) return 'program-failed'
  if ('canceledByUser' in error && error.canceledByUser === true) return 'canceled-by-user'
  return codes.find(([code]) => error.message.includes(code))?.[1] ?? 'program-failed'
}

const codes: readonly (readonly [string, ProgramFault])[] = [
  ['WRONG_KEYSTORE_PASSWORD', 'wrong-password'],
  ['BLOCKED_KEYSTORE_PASSWORD', 'blocked-password'],
  ['CERTIFICATE_DATE_NOT_VALID', 'key-out-of-date'],
  ['KEY_NOT_FOUND', 'no-suitable-key'],
  ['KEYSTORE_LOADING_FAILURE', 'no-suitable-key'],
  ['CERTPATH_BUILDING_FAILURE', 'no-suitable-key'],
  ['TIMESTAMP_CREATION_FAILURE', 'timestamp-not-made'],
]

function bodiesOf(result: string | string[], expected: number): string[] {
  const all = Array.isArray(result) ? result : [result]
  return allOf(
    all.map((cms) => cms.replaceAll(/-----(BEGIN|END) CMS-----|\s/g, '')),
    expected,
  )
}

function allOf(result: string | string[], expected: number): string[] {
  const all = Array.isArray(result) ? result : [result]
  if (all.length !== expected || all.includes('')) throw new SigningError('program-failed')
  return all
}

/** Loaded when somebody signs, because most pages do not need it. */
async function openProgram(url: string): Promise<Program> {
  const { NCALayerClient } = await import('ncalayer-js-client')
  const client = new NCALayerClient(url, false)
  // the library looks for another program even when told not to; an invalid address ends that without a call
  client.kmdHttpApiUrl = 'http://'
  return client
}
