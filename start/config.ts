import type { HttpSettings } from '@kelisim/server/http/open.ts'
import { ConfigError, readConfig, type Config } from '@kelisim/server/config.ts'

/** The configuration; or one sentence for each mistake in the environment, and the matching exit code. */
export function readConfigOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const lines = error.message.replace(/^/gm, '  - ')
    process.stderr.write(`Kelisim cannot start, the environment is wrong:\n${lines}\n`)
    process.exit(78) // EX_CONFIG
  }
}

/** What taking calls needs of the configuration; the rest of it, its secrets too, is not passed on. */
export function httpSettingsOf(config: Config): HttpSettings {
  return {
    trustProxy: config.trustProxy,
    drainSeconds: config.drainSeconds,
    callsPerMinute: config.callsPerMinute,
    organizationCallsPerMinute: config.organizationCallsPerMinute,
    tokenCallsPerMinute: config.tokenCallsPerMinute,
    logLevel: config.logLevel,
  }
}
