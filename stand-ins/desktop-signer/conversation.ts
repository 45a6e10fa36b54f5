/**
 * One socket of a page: the program greets, then responds to one request after another. Requests have no number, so
 * responses come in the order of requests; only heartbeats are answered at once.
 */
import { defaultLanguage } from '@kelisim/texts/languages.ts'
import type { RawData, WebSocket } from 'ws'
import { basics, failed } from './basics.ts'
import { commonUtils } from './common-utils.ts'
import type { Caller, Program } from './program.ts'

export const programVersion = '1.4'
const heartbeat = '--heartbeat--'
const unserialisable = { success: false, code: 'COMMON_JSON_WRAPPING_EXCEPTION' }

/** A page that sends more requests without waiting is not one that the program was made for. */
const maxQueue = 16

export function converse(socket: WebSocket, origin: string | null, program: Program): void {
  const leaving = new AbortController()
  const caller: Caller = { origin, language: defaultLanguage, signal: leaving.signal }
  let queued = 0
  let last = Promise.resolve()

  socket.on('close', () => leaving.abort())
  // a frame that is too long or violates the protocol; ws closes the socket itself
  socket.on('error', () => leaving.abort())
  socket.on('message', (data, isBinary) => {
    const text = isBinary ? null : textOf(data)
    if (text === heartbeat) {
      socket.send(heartbeat)
      return
    }
    if (queued === maxQueue) {
      socket.close(1008)
      return
    }
    queued += 1
    last = last.then(async () => {
      const answer = await answerTo(text, program, caller)
      queued -= 1
      if (!leaving.signal.aborted) socket.send(JSON.stringify(answer))
    })
  })
  socket.send(JSON.stringify({ result: { version: programVersion } }))
}

function textOf(data: RawData): string {
  return (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)).toString('utf8')
}

async function answerTo(text: string | null, program: Program, caller: Caller): Promise<unknown> {
  const request = text === null ? null : requestIn(text)
  if (!request) return unserialisable
  const { module, method, args, uuid } = request
  try {
    switch (module) {
      case 'kz.gov.pki.knca.commonUtils':
        return {
          ...(await commonUtils(method, args, program, caller)),
          ...(uuid === undefined ? {} : { uuid }),
        }
      case 'kz.gov.pki.knca.basics':
        return await basics(method, args, program, caller)
      case 'kz.gov.pki.ncalayerservices.accessory':
        return accessory(method)
      default:
        return { success: false, errorCode: 'MODULE_NOT_FOUND' }
    }
  } catch (error) {
    // a fault of this program; what the page sent stays out of the log
    console.error(`desktop signer: ${module} ${error instanceof Error ? error.stack : String(error)}`)
    return module === 'kz.gov.pki.knca.basics' ? failed('GENERAL_ERROR', '') : { code: '500' }
  }
}

type RequestMessage = { module: string; method: string; args: unknown; uuid: unknown }

function requestIn(text: string): RequestMessage | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const { module, method, args, uuid } = value as Record<string, unknown>
  return {
    // without a module the legacy one is meant, which the program no longer has
    module: typeof module === 'string' ? module : 'kz.gov.pki.knca.applet.Applet',
    method: typeof method === 'string' ? method : '',
    args,
    uuid,
  }
}

const bundles = {
  'kz.gov.pki.knca.commonUtils': '1.4.0',
  'kz.gov.pki.knca.basics': '1.4.0',
  'kz.gov.pki.ncalayerservices.accessory': '1.4.0',
}

function accessory(method: string): unknown {
  if (method === 'getBundles') return bundles
  if (method === 'getServices') return Object.keys(bundles)
  return { success: false, errorCode: 'METHOD_NOT_FOUND' }
}
