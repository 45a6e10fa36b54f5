/** For tests: a caller with a manual clock and pauses that are only recorded. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { onTestFinished } from 'vitest'
import {
  createOutboundCaller,
  outboundLimits,
  type OutboundCaller,
  type OutboundRequest,
  type OutboundSettings,
} from './call.ts'
import { OutboundFailure } from './failure.ts'
import type { Service } from './testing-services.ts'

/** The clock of every caller below, in milliseconds since 1970, and the pauses that they would have made. */
export const time = { now: 0, pauses: [] as number[] }

/** A caller that may call these services although they are on this machine. */
export function callerTo(
  services: readonly (Service | string)[],
  settings: Partial<OutboundSettings> = {},
): OutboundCaller {
  onTestFinished(() => void Object.assign(time, { now: 0, pauses: [] }))
  const names = services.map((service) => (typeof service === 'string' ? service : service.name))
  return createOutboundCaller({
    known: { configured: new Set(), private: new Set(names) },
    clock: () => new Date(time.now),
    random: () => 0.5,
    pause: async (ms) => void time.pauses.push(ms),
    ...settings,
  })
}

export const oneAttempt = { ...outboundLimits, attempts: 1 }

export function get(address: string, maxBytes = 1000): OutboundRequest {
  return { address, method: 'GET', maxBytes }
}

export async function reasonOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (e: unknown) => e,
  )
  return error instanceof OutboundFailure ? error.reason : `unexpected: ${String(error)}`
}

export function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString()
}

/** A folder that is removed after the test. */
export function ownFolder(): string {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function newFile(): string {
  return join(ownFolder(), 'file')
}
