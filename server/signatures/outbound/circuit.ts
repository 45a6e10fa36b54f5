/**
 * A circuit breaker: a service that keeps failing is not called for a while, so that people get "try later" at once.
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

/** Whether a call may be made now, and whether it is the one that tests if the service is back. */
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
  // While the circuit is open, a response belongs to an earlier call, but it shows that the service works.
  if (event === 'answered') return closedCircuit
  switch (circuit.state) {
    case 'closed': {
      const failures = circuit.failures + 1
      return failures >= rule.failures ? { state: 'open', since: now } : { state: 'closed', failures }
    }
    case 'open':
      return circuit // the call began before the circuit opened, so the pause is not extended
    case 'trying':
      return { state: 'open', since: now }
  }
}
