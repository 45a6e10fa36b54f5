/**
 * The national services of the demo: certification centre, desktop signer and phone, each behind the interface of the
 * real one. They run in a separate process beside the product (see main.ts), which knows only their addresses.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Centre } from './certification-centre/centre.ts'
import type { Order } from './certification-centre/order.ts'
import { startCertificationCentre } from './certification-centre/server.ts'
import { startDesktopSigner } from './desktop-signer/desktop-signer.ts'
import { startPhone } from './phone/phone.ts'

export type NationSetup = {
  folder: string
  ports: { centre: number; desktopSigner: number; phone: number }
  /** The product's origin: its pages may request signatures. */
  origin: string
  keys: readonly Order[]
  /** The password of all these keys. */
  password: string
  /** Lets tests choose keys without a person at the window. */
  handsFree: boolean
}

/** What the product has to know; it becomes part of its configuration. */
export type NationAddresses = {
  centreUrl: string
  tspUrl: string
  rootsFolder: string
  signerUrl: string
  signerWindowUrl: string
  phoneUrl: string
}

export async function startNation(
  setup: NationSetup,
): Promise<NationAddresses & { close: () => Promise<void> }> {
  const { folder, ports, origin, password, handsFree } = setup
  const centreFolder = join(folder, 'certification-centre')
  const keysFolder = join(folder, 'keys')
  const centre = await startCertificationCentre({ port: ports.centre, folder: centreFolder })
  await issueMissing(centre.centre, setup.keys, keysFolder)
  const tspUrl = `${centre.url}/tsp`
  const certificates = ['roots', 'centres'].flatMap((name) => certificatesIn(join(centreFolder, name)))
  const signer = await startDesktopSigner({
    port: ports.desktopSigner,
    origins: [origin],
    tspUrl,
    roots: certificates,
    keysFolder,
    sharedPassword: password,
    handsFree,
    log: quiet,
  })
  const phone = await startPhone({
    port: ports.phone,
    origin,
    tspUrl,
    keysFolder,
    sharedPassword: password,
    log: quiet,
  })
  return {
    centreUrl: centre.url,
    tspUrl,
    rootsFolder: centreFolder,
    signerUrl: signer.url,
    signerWindowUrl: signer.windowUrl,
    phoneUrl: phone.url,
    close: async () => {
      await Promise.all([phone.close(), signer.close(), centre.close()])
    },
  }
}

/** Logs nothing, because the parent prints the addresses. */
function quiet(): void {}

/** Fulfils each order once: digests of fulfilled orders are recorded beside the keys. */
async function issueMissing(centre: Centre, orders: readonly Order[], folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const listFile = join(folder, 'issued.txt')
  const issued = new Set(existsSync(listFile) ? readFileSync(listFile, 'utf8').split('\n') : [])
  for (const order of orders) {
    const id = createHash('sha256').update(JSON.stringify(order)).digest('hex')
    if (issued.has(id)) continue
    const { p12, fileName } = await centre.issue(order)
    writeFileSync(join(folder, fileName), p12, { mode: 0o600 })
    writeFileSync(listFile, `${id}\n`, { flag: 'a' })
  }
}

function certificatesIn(folder: string): Uint8Array[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /\.(cer|crt|der|pem)$/i.test(name))
    .map((name) => readFileSync(join(folder, name)))
}
