/**
 * The certification centre as the signature checks see it. Addresses come from the configuration, or else from
 * certificates of a trusted chain: anybody can write any address into a certificate of their own.
 */
import { join } from 'node:path'
import type { OutboundCaller } from './call.ts'
import { openCrlFolder, type ExamineCrl } from './crl-folder.ts'
import { OutboundFailure } from './failure.ts'
import { serviceOf, type KnownServices } from './target.ts'

export type PkiConfig = {
  /** undefined: the address named in the certificate. */
  ocspUrl: URL | undefined
  /** No certificate names this service. undefined: no timestamps. */
  tspUrl: URL | undefined
  /** The services for the archive, in the order in which they are asked; empty: `tspUrl`. */
  archiveTspUrls?: readonly URL[]
  /** Empty: the addresses named in the certificate. */
  crlUrls: readonly URL[]
  /** host:port */
  privateHosts: readonly string[]
}

/** The literal `true` makes the compiler check that the caller verified the chain. */
export type TrustedAddresses = { isChainTrusted: true; ocsp: readonly string[]; crl: readonly string[] }

export type CrlFile = { address: string; path: string } | { address: string; failure: OutboundFailure }

export type Centre = {
  /** Sends a DER request and returns the DER response, which the caller must verify. */
  askOcsp: (request: Uint8Array, named: TrustedAddresses) => Promise<Uint8Array>
  askTimestamp: (request: Uint8Array) => Promise<Uint8Array>
  /** The services that timestamp the archive. */
  timestampServices: readonly TimestampService[]
  /** Every list that may contain the certificate; one that is unavailable does not hide the others. */
  crlFiles: (named: TrustedAddresses) => Promise<CrlFile[]>
}

export type TimestampService = { name: string; ask: (request: Uint8Array) => Promise<Uint8Array> }

/** Must be called periodically in each process, because the lists are on its disk. */
export type ListKeeper = { refreshLists: () => Promise<void> }

const smallAnswer = 64 * 1024
/** The production list was 19 MB in 2026. */
const revocationList = 64 * 1024 * 1024

export function knownServices(pki: PkiConfig): KnownServices {
  const { ocspUrl, tspUrl, archiveTspUrls = [], crlUrls, privateHosts } = pki
  const urls = [ocspUrl, tspUrl, ...archiveTspUrls, ...crlUrls].filter((url) => url !== undefined)
  return { configured: new Set(urls.map(serviceOf)), private: new Set(privateHosts) }
}

export function openCentre({
  pki,
  dataDir,
  caller,
  examineCrl,
  clock,
}: {
  pki: PkiConfig
  dataDir: string
  caller: OutboundCaller
  examineCrl: ExamineCrl
  clock: () => Date
}): Centre & ListKeeper {
  const { crlFile, refresh } = openCrlFolder({
    folder: join(dataDir, 'crl'),
    caller,
    examine: examineCrl,
    clock,
    maxBytes: revocationList,
  })

  async function crlAt(address: string): Promise<CrlFile> {
    try {
      return { address, path: await crlFile(address) }
    } catch (failure) {
      if (failure instanceof OutboundFailure) return { address, failure }
      throw failure
    }
  }

  const timestampFrom = (url: URL, body: Uint8Array) =>
    caller.call({
      address: url.href,
      method: 'POST',
      body,
      contentType: 'application/timestamp-query',
      accept: 'application/timestamp-reply',
      maxBytes: smallAnswer,
    })

  return {
    askOcsp: async (body, named) => {
      const address = pki.ocspUrl?.href ?? named.ocsp.find(isHttp)
      if (address === undefined) throw new OutboundFailure('no-address', 'OCSP')
      return caller.call({
        address,
        method: 'POST',
        body,
        contentType: 'application/ocsp-request',
        accept: 'application/ocsp-response',
        maxBytes: smallAnswer,
      })
    },

    askTimestamp: async (body) => {
      if (!pki.tspUrl) throw new OutboundFailure('no-address', 'timestamps')
      return timestampFrom(pki.tspUrl, body)
    },

    timestampServices: archiveServices(pki).map((url) => ({
      name: url.host,
      ask: (body) => timestampFrom(url, body),
    })),

    crlFiles: (named) => {
      const configured = pki.crlUrls.map((url) => url.href)
      const addresses = configured.length > 0 ? configured : named.crl.filter(isHttp)
      return Promise.all([...new Set(addresses)].map(crlAt))
    },

    refreshLists: async () => {
      // Lists of the configuration are kept from the start, others once a check has needed them.
      await Promise.all(pki.crlUrls.map((url) => crlAt(url.href)))
      await refresh()
    },
  }
}

function archiveServices({ tspUrl, archiveTspUrls = [] }: PkiConfig): readonly URL[] {
  return archiveTspUrls.length > 0 ? archiveTspUrls : tspUrl ? [tspUrl] : []
}

/** Certificates may also name LDAP directories, which are not queried. */
function isHttp(address: string): boolean {
  return /^https?:/i.test(address)
}
