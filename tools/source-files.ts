import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the project. */
export const root = join(import.meta.dirname, '..')

const notOurs = new Set(['node_modules', 'dist', 'data', 'test-results', 'playwright-report', '.git'])

/** Every file of ours below the folder, by its path from the root. */
export function filesBelow(folder: string, name: RegExp): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : filesBelow(path, name)
    return name.test(entry.name) ? [path] : []
  })
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

export function readJson(path: string): unknown {
  return JSON.parse(readText(path))
}

export function isFolder(path: string): boolean {
  return statSync(join(root, path)).isDirectory()
}
