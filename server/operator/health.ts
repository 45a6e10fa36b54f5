/**
 * Checks everything the product depends on. Each check has a timeout of a few seconds and runs in parallel with the
 * others.
 */
import { connect } from 'node:net'
import { createTransport } from 'nodemailer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import type { Database } from '@kelisim/db/db.ts'
import type { serviceNames } from '@kelisim/domain/operator/contract.ts'
import { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { addressesOf } from '@kelisim/signature/revocation/addresses.ts'
import type { Storage } from '../documents/storage/storage.ts'
import type { PkiConfig } from '../signatures/outbound/centre.ts'
import { readTrust } from '../signatures/trust.ts'

export type ServiceState = {
  name: (typeof serviceNames)[number]
  state: 'good' | 'bad' | 'off'
  milliseconds: number | null
  detail: string
}

const timeout = 5_000

export type HealthCheckInput = {
  database: Database
  storage: Storage
  smtpUrl: string | undefined
  /** A server without TLS is not sent our password. */
  mustEncrypt: boolean
  pki: PkiConfig
  trustRootsDir: string | undefined
}

export function checkServices(asking: HealthCheckInput): Promise<ServiceState[]> {
  const { database, storage, smtpUrl, mustEncrypt, pki } = asking
  const named = namedServices(asking.trustRootsDir)
  const ocsp = pki.ocspUrl ? [pki.ocspUrl] : named.ocsp
  const lists = pki.crlUrls.length > 0 ? pki.crlUrls : named.crl
  return Promise.all([
    measured('database', async () => {
      const { rows } = await database.pool.query<{ version: string }>(
        `select current_setting('server_version') as version`,
      )
      return `PostgreSQL ${rows[0]!.version}`
    }),
    measured('storage', async () => {
      await storage.check()
      return ''
    }),
    smtpUrl === undefined ? off('mail') : measured('mail', () => checkMailServer(smtpUrl, mustEncrypt)),
    ocsp.length > 0 ? reached('ocsp', ocsp) : off('ocsp'),
    pki.tspUrl ? reached('timestamps', [pki.tspUrl]) : off('timestamps'),
    lists.length > 0 ? reached('revocation-lists', lists) : off('revocation-lists'),
  ])
}

/** The OCSP and CRL addresses named by the trusted certificates; those of people's certificates seldom differ. */
function namedServices(trustRootsDir: string | undefined): { ocsp: URL[]; crl: URL[] } {
  if (trustRootsDir === undefined) return { ocsp: [], crl: [] }
  const { roots, centres } = readTrust(trustRootsDir)
  const named = [...roots, ...centres].map((der) => addressesOf(readCertificate(der)))
  const urlsOf = (addresses: string[]) =>
    [...new Set(addresses)]
      .filter((one) => /^https?:/i.test(one) && URL.canParse(one))
      .map((one) => new URL(one))
  return {
    ocsp: urlsOf(named.flatMap(({ ocsp }) => ocsp)),
    crl: urlsOf(named.flatMap(({ crl }) => crl)),
  }
}

async function off(name: ServiceState['name']): Promise<ServiceState> {
  return { name, state: 'off', milliseconds: null, detail: '' }
}

async function measured(name: ServiceState['name'], ask: () => Promise<string>): Promise<ServiceState> {
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer for ${timeout / 1000} s`)), timeout)
  try {
    const detail = await Promise.race([ask(), late.promise])
    return { name, state: 'good', milliseconds: took(), detail }
  } catch (error) {
    const detail = reasonOf(error).slice(0, 300)
    return { name, state: 'bad', milliseconds: took(), detail }
  } finally {
    clearTimeout(timer)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** Connects and signs in as for sending an e-mail, but sends none. */
export async function checkMailServer(smtpUrl: string, mustEncrypt: boolean): Promise<string> {
  const transport = createTransport({
    ...parseConnectionUrl(smtpUrl),
    ...(mustEncrypt && { requireTLS: true }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
  })
  try {
    await transport.verify()
    return new URL(smtpUrl).host
  } finally {
    transport.close()
  }
}

/** Only the connection is checked: a real query would need real data. */
function reached(name: ServiceState['name'], urls: readonly URL[]): Promise<ServiceState> {
  return measured(name, async () => {
    await Promise.all(urls.map(connected))
    return [...new Set(urls.map(({ host }) => host))].join(', ')
  })
}

function connected({ hostname, port, protocol, host }: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    const address = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
    }
    const socket = connect({ ...address, timeout: timeout })
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('timeout', () => socket.destroy(new Error(`${host} does not answer`)))
    socket.once('error', reject)
  })
}
