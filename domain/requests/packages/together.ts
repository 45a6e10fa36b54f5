/** Documents of one package that are acted on together: nobody answers for one of them while others wait for the same answer. */
import type { PersonCommand } from '../life-cycle/commands.ts'
import type { SigningRequest } from '../life-cycle/request.ts'
import { whyNot } from '../life-cycle/why-not.ts'

/** What a person answers at a point. */
export type PointAnswer = Extract<PersonCommand, { type: 'sign' | 'approve' | 'confirm' | 'reject' }>

export function isAnswer(command: PersonCommand): command is PointAnswer {
  const { type } = command
  return type === 'sign' || type === 'approve' || type === 'confirm' || type === 'reject'
}

/**
 * Whether another document of the package waits for the same answer of the same person. Who has its signing dialog open does not
 * matter: otherwise a colleague who opens one document would let the others go apart.
 */
export function waitsForSame(request: SigningRequest, answer: PointAnswer, now: Date): boolean {
  const { over: _, ...same } = answer
  return request.termination === null && whyNot({ ...request, lock: null }, same, now) === null
}
