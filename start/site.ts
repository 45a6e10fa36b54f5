import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Changes with every build of the site; browsers compare it with the one they loaded. */
export function readBuild(folder: string): string {
  const file = join(folder, 'build.txt')
  return existsSync(file) ? readFileSync(file, 'utf8') : 'dev'
}
