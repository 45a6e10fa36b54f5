/** Faults that the centre's services can be told to show, for tests and demonstrations. */
import { minute } from '@kelisim/domain/durations.ts'

export const services = ['ocsp', 'crl', 'tsp'] as const
export type Service = (typeof services)[number]

const plainFaults = [
  'ok',
  /** The connection is reset. */
  'down',
  /** No response until the fault is changed. */
  'slow',
  /** Bytes that are no response. */
  'garbage',
  /** A response a month old, otherwise right. */
  'old',
  /** A response by untrusted keys with the right names. */
  'wrong-signer',
  /** The service reports that it is busy. */
  'try-later',
] as const

export type Fault = (typeof plainFaults)[number] | { slow: number }

export type FaultSettings = Record<Service, Fault>

export type Faults = {
  current: () => FaultSettings
  /** Unnamed ones stay unchanged. */
  set: (changes: Partial<FaultSettings>) => void
  /** Waits as long as the service is slow, then returns its other fault. */
  pass: (service: Service) => Promise<Exclude<Fault, object | 'slow'>>
}

export function createFaults(): Faults {
  let settings: FaultSettings = { ocsp: 'ok', crl: 'ok', tsp: 'ok' }
  let waiting: (() => void)[] = []

  async function pass(service: Service): Promise<Exclude<Fault, object | 'slow'>> {
    const fault = settings[service]
    if (typeof fault === 'object') {
      await later(fault.slow)
      return 'ok'
    }
    if (fault !== 'slow') return fault
    await new Promise<void>((resolve) => waiting.push(resolve))
    return pass(service)
  }

  return {
    current: () => settings,
    set(changes) {
      settings = { ...settings, ...changes }
      const released = waiting
      waiting = []
      for (const release of released) release()
    },
    pass,
  }
}

function later(milliseconds: number): Promise<void> {
  // does not keep the process alive: a stopped centre need not respond
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
}

/** Null: the value is malformed. */
export function readFaults(value: unknown): Partial<FaultSettings> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const changes: Partial<FaultSettings> = {}
  for (const [name, fault] of Object.entries(value)) {
    const service = services.find((one) => one === name)
    const read = readFault(fault)
    if (!service || read === null) return null
    changes[service] = read
  }
  return changes
}

const longestWait = 10 * minute

function readFault(value: unknown): Fault | null {
  if (typeof value === 'object' && value !== null && 'slow' in value) {
    const { slow } = value
    const isWell = typeof slow === 'number' && slow >= 0 && slow <= longestWait
    return isWell ? { slow } : null
  }
  return plainFaults.find((fault) => fault === value) ?? null
}
