/** Reads the files of the command for the engine. An unreadable file is wrong usage. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import { readCertificate, type Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { allDerOf, derIn, derOf } from '@kelisim/signature/asn1/pem.ts'
import { readCrl, type Crl } from '@kelisim/signature/revocation/crl.ts'
import { readOcspResponse, type BasicOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import { UsageError } from './arguments.ts'

export type NamedBytes = { name: string; bytes: Uint8Array }

export function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch {
    throw new UsageError(`Cannot read ${path}`)
  }
}

export function readDer(path: string): Uint8Array {
  return derIn(readBytes(path))
}

/** Trusted roots, from files and from all certificates in folders; each must be readable. */
export function readRoots(paths: readonly string[]): Certificate[] {
  return paths.flatMap(filesAt).flatMap((path) => {
    try {
      return certificatesIn(path)
    } catch (error) {
      if (error instanceof MalformedError) throw new UsageError(`${path}: ${error.message}`)
      throw error
    }
  })
}

/** Certificates that may complete the path; unreadable ones are ignored. */
export function readCertificates(paths: readonly string[]): Certificate[] {
  return paths.flatMap(filesAt).flatMap((path) => readable(path, () => certificatesIn(path)))
}

function certificatesIn(path: string): Certificate[] {
  return allDerOf(readBytes(path)).map(readCertificate)
}

function filesAt(path: string): string[] {
  let isFolder: boolean
  try {
    isFolder = statSync(path).isDirectory()
  } catch {
    throw new UsageError(`There is no ${path}`)
  }
  if (!isFolder) return [path]
  return readdirSync(path)
    .filter((name) => /\.(cer|crt|der|pem)$/i.test(name))
    .toSorted()
    .map((name) => join(path, name))
}

/** Unreadable evidence is reported: a broken CRL must not pass for an empty one. */
export function readCrls(paths: readonly string[]): Crl[] {
  return paths.flatMap((path) => readable(path, () => allDerOf(readBytes(path)).map(readCrl)))
}

export function readOcspResponses(paths: readonly string[]): BasicOcspResponse[] {
  return paths.flatMap((path) =>
    readable(path, () => [readOcspResponse(derOf(readBytes(path))).basic ?? []].flat()),
  )
}

function readable<T>(path: string, readAll: () => T[]): T[] {
  try {
    return readAll()
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
    console.error(`${path} is left out: ${error.message}`)
    return []
  }
}
