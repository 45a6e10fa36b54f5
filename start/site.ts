import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@kelisim/server/config.ts'

/** Changes with every build of the site; browsers compare it with the one they loaded. */
export function readBuild(folder: string): string {
  const file = join(folder, 'build.txt')
  return existsSync(file) ? readFileSync(file, 'utf8') : 'dev'
}

/** What pages know of the installation before their first call. */
export function pageConfigOf(
  { isDemo, supportEmail, adminPortalUrl }: Config,
  version: string,
  signInPages: object,
): object {
  return {
    version,
    isDemo,
    supportEmail,
    adminPortalUrl: adminPortalUrl?.href.replace(/\/$/, ''),
    ...signInPages,
  }
}
