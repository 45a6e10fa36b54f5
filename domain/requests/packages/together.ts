/** Documents of a package that is decided together: nobody answers for one while others wait for the same answer. */
import type { PersonCommand } from '../life-cycle/commands.ts'
import type { SigningRequest } from '../life-cycle/request.ts'
import { whyNot } from '../life-cycle/why-not.ts'

/** The commands that are answers at a point. */
export type PointAnswer = Extract<PersonCommand, { type: 'sign' | 'approve' | 'confirm' | 'reject' }>

export function isAnswer(command: PersonCommand): command is PointAnswer {
  const { type } = command
  return type === 'sign' || type === 'approve' || type === 'confirm' || type === 'reject'
}

/**
 * Whether another document of the package waits for the same answer of the same person. Its lock is ignored:
 * otherwise a colleague who opens the signing dialog of one document would allow the others to be answered
 * separately.
 */
export function waitsForSame(request: SigningRequest, answer: PointAnswer, now: Date): boolean {
  const { over: _, ...same } = answer
  return request.termination === null && whyNot({ ...request, lock: null }, same, now) === null
}
