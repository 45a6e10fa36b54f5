/** Where the command keeps the address and the token of `kelisim login`: readable by the person alone. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'

const Settings = z.object({ address: z.url(), token: z.string() })
export type Settings = z.infer<typeof Settings>

type Environment = Readonly<Record<string, string | undefined>>

function settingsFile(environment: Environment): string {
  const folder = environment['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
  return join(folder, 'kelisim', 'settings.json')
}

/** The environment takes precedence, because servers have nobody who logs in. Null: there are no settings. */
export function readSettings(environment: Environment): Settings | null {
  const { KELISIM_ADDRESS: address, KELISIM_TOKEN: token } = environment
  if (address && token) return { address, token }
  try {
    const kept = Settings.safeParse(JSON.parse(readFileSync(settingsFile(environment), 'utf8')))
    return kept.success ? kept.data : null
  } catch {
    return null
  }
}

export function keepSettings(settings: Settings, environment: Environment): string {
  const file = settingsFile(environment)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  // Writing to an existing file keeps its mode.
  chmodSync(file, 0o600)
  return file
}

export function forgetSettings(environment: Environment): void {
  rmSync(settingsFile(environment), { force: true })
}
