/**
 * Replaces NCALayer, the desktop program for national keys: the same WebSocket protocol, and its window as a page at
 * the same port. For demo and tests; it opens demo keys only.
 */
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { derOf } from '@kelisim/signature/asn1/pem.ts'
import { defaultLanguage } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { WebSocketServer } from 'ws'
import { keyFolder } from '../shared/key-folder.ts'
import { isLoopback } from '../shared/local-page.ts'
import { converse } from './conversation.ts'
import { fileFolder } from './prompting/file-folder.ts'
import { answerByChooser, type Chooser } from './prompting/hands-free.ts'
import type { Program } from './program.ts'
import { createPrompts } from './prompting/prompts.ts'
import { timestampService } from './timestamp-service.ts'
import { windowEndpoints } from './window/endpoints.ts'

export type DesktopSignerOptions = {
  /** 0: any free port. */
  port: number
  /** Another host lets other machines connect, but they are refused. */
  host?: string
  /** The key and certificate for wss://; without them the program speaks ws://. */
  tls?: { key: string; cert: string }
  /** Only pages of these origins may call; any by default, as with the real program. */
  origins?: readonly string[]
  /** The timestamp service; without it, signatures with timestamps fail. */
  tspUrl?: string
  /**
   * Certificates (DER or PEM) of the centres whose keys are offered when a page names no chain: roots and
   * intermediates.
   */
  roots?: readonly Uint8Array[]
  /** Folder of .p12 files that the window offers. */
  keysFolder?: string
  /** The password of all keys in the folder: used to list their owners, and shown to the person. */
  sharedPassword?: string
  /** Folder of the documents that pages may name by path; none without it. */
  filesFolder?: string
  /** Storages that should appear plugged in; their keys are chosen in the same window. */
  tokens?: readonly string[]
  /** One key for every prompt, or a function that chooses a key; without it the person chooses at the window. */
  keys?: { p12: Uint8Array; password: string } | Chooser
  /** Lets tests respond at /hands-free. */
  handsFree?: boolean
  maxFrameBytes?: number
  now?: () => Date
  log?: (line: string) => void
}

export type DesktopSigner = {
  /** The address of the WebSocket. */
  url: string
  /** The address of the window. */
  windowUrl: string
  close: () => Promise<void>
}

export const defaultPort = 13589

/** Enough for several documents in base64. */
const defaultMaxFrame = 128 * 1024 * 1024

export async function startDesktopSigner(options: DesktopSignerOptions): Promise<DesktopSigner> {
  const { host = '127.0.0.1', tls, now = () => new Date(), log = console.log } = options
  const centres = (options.roots ?? []).map((bytes) => readCertificate(derOf(bytes)))
  const prompts = createPrompts({ centres, now })
  const files = options.filesFolder === undefined ? null : fileFolder(options.filesFolder)
  const sharedPassword = options.sharedPassword ?? null
  const program: Program = {
    ask: prompts.ask,
    stamp: timestampService(options.tspUrl ?? null),
    now,
    tokens: options.tokens ?? [],
    files,
  }
  const chooser = typeof options.keys === 'object' ? always(options.keys) : options.keys
  if (chooser) answerByChooser(prompts, chooser)
  const window = windowEndpoints({
    prompts,
    keys: keyFolder(options.keysFolder ?? null, sharedPassword),
    files,
    sharedPassword,
    isHandsFree: options.handsFree ?? false,
    now,
  })

  const server = tls ? createHttpsServer(tls) : createHttpServer()
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxFrameBytes ?? defaultMaxFrame,
    perMessageDeflate: false,
  })
  server.on('request', (request: IncomingMessage, response) => {
    if (!isLoopback(request)) {
      response.writeHead(403).end(refusal)
      return
    }
    window.handle(request, response).catch((error: unknown) => {
      log(`desktop signer: ${error instanceof Error ? error.stack : String(error)}`)
      response.destroy()
    })
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { origin } = request.headers
    if (!isLoopback(request) || !mayAsk(origin, options.origins)) {
      refuse(socket)
      return
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => converse(webSocket, origin ?? null, program))
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const at = `127.0.0.1:${port}`
  const windowUrl = `${tls ? 'https' : 'http'}://${at}/`
  const t = textsOf(defaultLanguage, 'stand-ins')
  log(t('desktop-signer.log.started', { url: windowUrl }))
  if (!chooser) {
    prompts.watch(() => {
      if (prompts.waiting().length > 0 && !window.isOpen())
        log(t('desktop-signer.log.waiting', { url: windowUrl }))
    })
  }

  return {
    url: `${tls ? 'wss' : 'ws'}://${at}/`,
    windowUrl,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function always(key: { p12: Uint8Array; password: string }): Chooser {
  return ({ demands }) => (demands ? key : 'cancel')
}

const refusal = 'You shall not pass!'

/** A browser always states its origin; a caller without one is a program of this computer. */
function mayAsk(origin: string | undefined, origins: readonly string[] | undefined): boolean {
  return origin === undefined || origins === undefined || origins.includes(origin)
}

function refuse(socket: Duplex): void {
  socket.end(
    `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: ${refusal.length}\r\nconnection: close\r\n\r\n${refusal}`,
  )
}
