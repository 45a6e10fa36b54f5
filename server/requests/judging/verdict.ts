/** Saves the result of a check: the signature is accepted, refused, or checked again later. */
import type { Tx } from '@kelisim/db/db.ts'
import type { StoredPower } from '@kelisim/db/schema/requests.ts'
import { after, hour, second } from '@kelisim/domain/durations.ts'
import { givenKeyOf } from '@kelisim/domain/points/key-holder.ts'
import { fullNameOf } from '@kelisim/domain/signatures/owner.ts'
import { reuseFault } from '@kelisim/domain/signatures/reuse.ts'
import { judge, type Fault } from '@kelisim/domain/signatures/verdict.ts'
import { claimSigningIin } from '../../identity/sign-in/queries.ts'
import { certificateFacts, evidenceOf } from '../../signatures/kept-evidence.ts'
import { performBySystem } from '../core/perform.ts'
import { announce } from '../core/queries/changes.ts'
import type { HeldPower } from '../core/queries/powers.ts'
import { shownName } from '../core/saving.ts'
import { lockedRequest } from '../core/state.ts'
import type { Examination } from './examining.ts'
import {
  findAcceptedUses,
  isUser,
  lockSignatureValues,
  updateUnjudgedSignature,
  type UnjudgedSignature,
} from './queries.ts'

const firstPause = 30 * second
export const longestPause = hour

type VerdictWithFaults = ReturnType<typeof judge> & { faults: Fault[] }

/** Schedules another check, because a service of the certification centre could not be reached. */
export async function postpone(
  tx: Tx,
  { id, requestId, version, tries }: UnjudgedSignature,
  verdict: VerdictWithFaults,
  now: Date,
): Promise<void> {
  const pause = Math.min(firstPause * 2 ** tries, longestPause)
  await updateUnjudgedSignature(tx, id, {
    tries: tries + 1,
    nextTryAt: after(now, pause),
    verdict: JSON.stringify(verdict),
    checkedAt: now,
  })
  // Open pages say that the centre does not answer, and when it is asked again.
  await announce(tx, requestId, version)
}

/**
 * Returns whether this call accepted the signature. If two processes judged the same signature, the second one
 * changes nothing.
 */
export async function settle(
  tx: Tx,
  unjudged: UnjudgedSignature,
  { faults, signer, values, power }: Examination,
  now: Date,
): Promise<boolean> {
  const { id, requestId, tries, actor, comment, keyHolder } = unjudged
  // The request is locked first, as in every act: the same order of locks avoids deadlocks.
  const loaded = await lockedRequest(tx, requestId)
  if (!loaded) return false
  const used = await useOfValues(tx, unjudged, values)
  const found: Fault[] = used ? [...faults, used] : [...faults]
  // One IIN is one person: whoever signed with a key keeps using that IIN, and nobody else uses it.
  const iin = signer?.owner?.iin
  if (found.length === 0 && iin && !(await claimSigningIin(tx, actor.id, iin))) found.push('other-person')
  const verdict: VerdictWithFaults = { ...judge(found), faults: found }
  const isAccepted = verdict.verdict === 'TOTAL-PASSED'
  const isSettled = await updateUnjudgedSignature(tx, id, {
    state: isAccepted ? 'accepted' : 'refused',
    tries: tries + 1,
    nextTryAt: null,
    checkedAt: now,
    verdict: JSON.stringify(verdict),
    owner: signer && JSON.stringify(certificateFacts(signer)),
    evidence: signer && JSON.stringify(evidenceOf(signer)),
    power: isAccepted && power ? JSON.stringify(keptPower(power)) : null,
    valueDigests: values,
  })
  if (!isSettled) return false
  await performBySystem(
    tx,
    loaded,
    { type: isAccepted ? 'accept-signature' : 'refuse-signature', signatureId: id },
    {
      comment: '',
      shownAtPoint: { ...shownName(actor), comment },
      data: {
        code: verdict.code,
        owner: signer?.owner ? fullNameOf(signer.owner) : null,
        ...(isAboutKey(found) && signer?.owner && { needed: keyHolder, given: givenKeyOf(signer.owner) }),
        ...(isAccepted && power && { power: shownPower(power) }),
      },
    },
    now,
  )
  return isAccepted
}

/** Faults whose refusal says whose key was needed and whose was given. */
const keyFaults: readonly Fault[] = [
  'not-entitled-for-organization',
  'not-head-of-organization',
  'power-not-in-force',
  'power-out-of-scope',
]

function isAboutKey(found: readonly Fault[]): boolean {
  return keyFaults.some((fault) => found.includes(fault))
}

function keptPower(power: HeldPower): StoredPower {
  const { id, number, holderName, validFrom, validUntil, requestId } = power
  return { id, number, holderName, validFrom, validUntil, requestId }
}

/** The part of a power of attorney that the history shows to every side. */
function shownPower({ number, validFrom, validUntil }: HeldPower) {
  return { number, validFrom, validUntil }
}

/** Refused signatures are not compared: an attacker could submit a guess to block the real signer. */
async function useOfValues(
  tx: Tx,
  { requestId, actor, receivedAt }: UnjudgedSignature,
  values: readonly string[],
): Promise<Fault | null> {
  await lockSignatureValues(tx, values)
  const accepted = await findAcceptedUses(tx, values)
  if (accepted.length === 0) return null
  const hasAccount = await isUser(tx, actor.id)
  return reuseFault({ requestId, actorId: actor.id, receivedAt, hasAccount }, accepted)
}
