/** The key that signs heads of the log: kept beside the data, or where the configuration says. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Reads the key, or creates it at the first start. If several processes start at once, all use the key that was there
 * first.
 */
export function logKeyIn(file: string): KeyObject {
  const found = readLogKey(file)
  if (found) return found
  mkdirSync(dirname(file), { recursive: true })
  const made = `${file}.${process.pid}`
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync(made, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  try {
    linkSync(made, file) // unlike renaming, linking never replaces an existing file
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(made)
  }
  return readLogKey(file)!
}

/** null: there is no key. */
export function readLogKey(file: string): KeyObject | null {
  let pem: string
  try {
    pem = readFileSync(file, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} does not hold an Ed25519 key`)
  return key
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
