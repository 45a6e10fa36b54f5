/** The commands of people and of the system; `whyNot` says whether one is permitted, `decide` what then happens. */
import type { Actor } from '../actors.ts'
import type { PassedPoint } from './events.ts'
import type { NewPoint } from './request.ts'

/** `over` is the revision that the person has seen. */
export type PointCommand =
  | { type: 'sign'; pointId: string; by: Actor; signatureId: string; over?: number | undefined }
  | {
      type: 'approve' | 'confirm' | 'reject' | 'propose'
      pointId: string
      by: Actor
      over?: number | undefined
    }
export type PersonCommand =
  | PointCommand
  | { type: 'withdraw' | 'terminate' | 'correct'; by: Actor }
  | { type: 'decline-proposal'; pointId: string; by: Actor }
  /** `ahead` replaces all steps at which nobody is asked yet. */
  | { type: 'reroute'; by: Actor; ahead: readonly NewPoint[] }

export type SystemCommand =
  /** Points that were passed over do not belong to the request; they are only recorded. */
  | { type: 'start'; passedOver?: readonly PassedPoint[] }
  | { type: 'accept-signature' | 'refuse-signature'; signatureId: string }
  /** The participants have changed: points that only waited for people who have left become done. */
  | { type: 'settle' }
  | { type: 'finish-termination' }
  /** `today` is the day in Almaty. */
  | { type: 'tell-deadlines' | 'expire'; today: string }

export type Command = PersonCommand | SystemCommand
