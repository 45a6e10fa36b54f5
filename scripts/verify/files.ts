/** Files of the command: read, and turned into what the engine takes. What cannot be read is wrong usage. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import { readCertificate, type Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { allDerOf, derOf } from '@kelisim/signature/pem.ts'
import { readCrl, type Crl } from '@kelisim/signature/revocation/crl.ts'
import { readOcspResponse, type BasicOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import { UsageError } from './arguments.ts'

export function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch {
    throw new UsageError(`Cannot read ${path}`)
  }
}

/** DER of a file that should hold one object; where it holds no such thing, the bytes as they are. */
export function readDer(path: string): Uint8Array {
  const bytes = readBytes(path)
  try {
    return derOf(bytes)
  } catch (error) {
    if (error instanceof MalformedError) return bytes
    throw error
  }
}

/** Files, and all certificates in folders. */
export function readCertificates(paths: readonly string[]): Certificate[] {
  return paths
    .flatMap(filesAt)
    .flatMap((path) => understood(path, () => allDerOf(readBytes(path)).map(readCertificate)))
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

/** Lists that cannot be read are no evidence, and say so: a broken one must not pass for an empty one. */
export function readCrls(paths: readonly string[]): Crl[] {
  return paths.flatMap((path) => evidence(path, () => allDerOf(readBytes(path)).map((der) => readCrl(der))))
}

export function readOcspResponses(paths: readonly string[]): BasicOcspResponse[] {
  return paths.flatMap((path) => evidence(path, () => readOcspResponse(derOf(readBytes(path))).basic ?? []))
}

function understood<T>(path: string, readAll: () => T): T {
  try {
    return readAll()
  } catch (error) {
    if (error instanceof MalformedError) throw new UsageError(`${path}: ${error.message}`)
    throw error
  }
}

function evidence<T>(path: string, readAll: () => T | T[]): T[] {
  try {
    return [readAll()].flat() as T[]
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
    console.error(`${path} is no evidence: ${error.message}`)
    return []
  }
}
