/**
 * Test vectors that cannot be kept in the repository: read from a folder beside it; without that folder the tests are
 * skipped.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../../shared/vectors')

export const hasSharedVectors = existsSync(folder)
export const skippedWithout = hasSharedVectors ? '' : ' (skipped: ../shared/vectors is not there)'

export function sharedVector(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(folder, path)))
}

export function sharedVectorsIn(path: string): string[] {
  return readdirSync(join(folder, path)).map((name) => `${path}/${name}`)
}
