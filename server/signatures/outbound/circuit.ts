/**
 * A service that keeps failing is left alone for a while, so that people get their "try later" at once.
 *
 *   closed ──5 calls in a row failed──▶ open ──30 s later, one call──▶ trying
 *     ▲                                  ▲  │                           │ │
 *     │                                  └──┼──────────failed───────────┘ │
 *     └───────────────answered──────────────┴─────────answered────────────┘
 */
export type Circuit =
  | { state: 'closed'; failures: number }
  | { state: 'open'; since: number }
  | { state: 'trying' }

export type CircuitRule = { failures: number; openMs: number }

export const closedCircuit: Circuit = { state: 'closed', failures: 0 }

/** May a call be made now, and is it the one that finds out whether the service is back. */
export function passage(circuit: Circuit, now: number, rule: CircuitRule): 'free' | 'trial' | 'shut' {
  switch (circuit.state) {
    case 'closed':
      return 'free'
    case 'trying':
      return 'shut'
    case 'open': {
      const elapsed = now - circuit.since
      // A clock that was set back must not keep the circuit open for hours.
      return elapsed >= 0 && elapsed < rule.openMs ? 'shut' : 'trial'
    }
  }
}

export function circuitAfter(
  circuit: Circuit,
  event: 'trial-began' | 'answered' | 'failed',
  now: number,
  rule: CircuitRule,
): Circuit {
  if (event === 'trial-began') return { state: 'trying' }
  // While open, an answer can only be to a call made before: the service lives all the same.
  if (event === 'answered') return closedCircuit
  switch (circuit.state) {
    case 'closed': {
      const failures = circuit.failures + 1
      return failures >= rule.failures ? { state: 'open', since: now } : { state: 'closed', failures }
    }
    case 'open':
      return circuit // a call from before it opened: the pause does not grow
    case 'trying':
      return { state: 'open', since: now }
  }
}
