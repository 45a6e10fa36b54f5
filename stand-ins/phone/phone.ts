/**
 * Replaces the phone with the national app (eGov Mobile): a page that opens the codes the product shows. For demo and
 * tests; it opens demo keys only.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defaultLanguage } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { keyFolder } from '../shared/key-folder.ts'
import { forbidden, isFromHere, isLoopback, send } from '../shared/local-page.ts'
import { pageEndpoints } from './page/endpoints.ts'

export type PhoneOptions = {
  /** 0: any free port. */
  port: number
  /** The product's origin: other codes are refused. */
  origin: string
  /** The timestamp service. */
  tspUrl: string
  /** Folder of .p12 files. */
  keysFolder: string
  /** The password of all keys in the folder. */
  sharedPassword: string
  now?: () => Date
  log?: (line: string) => void
}

export type Phone = { url: string; close: () => Promise<void> }

export const defaultPort = 13590

export async function startPhone(options: PhoneOptions): Promise<Phone> {
  const { origin, tspUrl, keysFolder, sharedPassword, now = () => new Date(), log = console.log } = options
  const { origin: only, protocol } = new URL(origin)
  const page = pageEndpoints({
    // the real app accepts https only; a product that is tried out on one's own computer has no https
    app: { origins: [only], isHttpsOnly: protocol === 'https:', tspUrl, now },
    keys: keyFolder(keysFolder, sharedPassword),
    sharedPassword,
  })
  const server = createServer((request, response) => {
    if (!isLoopback(request) || !isFromHere(request)) {
      send(response, forbidden)
      return
    }
    page.answer(request).then(
      (answer) => send(response, answer),
      (error: unknown) => {
        log(`phone: ${error instanceof Error ? error.stack : String(error)}`)
        response.destroy()
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/`
  log(textsOf(defaultLanguage, 'stand-ins')('phone.log.started', { url }))
  return {
    url,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
