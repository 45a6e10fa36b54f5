/** Organisations are added or confirmed by a digital signature with their number; a second claim asks the owners. */
import type * as z from 'zod/mini'
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { nameLine } from '@kelisim/domain/fields.ts'
import {
  claimFaults,
  resultOfClaim,
  rolesOnceConfirmed,
  type ClaimKind,
} from '@kelisim/domain/identity/confirmation.ts'
import { askForChallenge, confirmOrganization } from '@kelisim/domain/identity/confirmation-contract.ts'
import { asStaff, roles } from '@kelisim/domain/identity/roles.ts'
import { fullNameOf, type CertificateOwner } from '@kelisim/domain/signatures/owner.ts'
import { judge } from '@kelisim/domain/signatures/verdict.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Serve } from '../../http/serve.ts'
import type { QueueMail } from '../../mail/outbox.ts'
import { linkIin } from '../sign-in/queries.ts'
import {
  findMembersRoles,
  issueChallenge,
  keepSignature,
  lockKnown,
  markConfirmed,
  takeChallenge,
  takeUnclaimed,
} from './queries.ts'
import { notifyOwners } from './join-request-handlers.ts'
import { addJoinRequest } from './join-request-queries.ts'
import { addEvent, addMembership, addOrganizationRow, getUser, lockUser } from '../core/queries.ts'
import {
  checkPresented,
  decodeSignature,
  evidenceOf,
  refuseSignature,
  type CheckSignature,
  type PresentedSignature,
} from './presented-signature.ts'
import { endAppointments, saveRoles } from '../core/membership-queries.ts'

/** Counts the requests that an organisation sent before it proved its number for that number. */
export type CountForNumber = (tx: Tx, organizationId: string, number: string) => Promise<void>

/** Ends the tokens that somebody made, because they have seen the secrets and are no longer an owner. */
export type EndTokensOf = (
  tx: Tx,
  organizationId: string,
  madeBy: string,
  by: { userId: string; now: Date },
) => Promise<void>

/**
 * Ends the mapping of groups of the sign-in service to roles, because it was set by whoever had merely typed the
 * number.
 */
export type EndGroupMapping = (
  tx: Tx,
  organizationId: string,
  by: { userId: string; now: Date },
) => Promise<void>

type ConfirmationDependencies = {
  queueMail: QueueMail
  publicUrl: URL
  /** Undefined where signatures cannot be checked. */
  checkSignature: CheckSignature | undefined
  countForNumber: CountForNumber
  endTokensOf: EndTokensOf
  endGroupMapping: EndGroupMapping
}

export function confirmationHandlers(serve: Serve, dependencies: ConfirmationDependencies): void {
  const { publicUrl, checkSignature } = dependencies

  serve(askForChallenge, async ({ who, now, write, language }) => {
    if (!checkSignature) refuse('service-unavailable')
    const title = textsOf(language, 'identity')('confirm.challenge')
    const { id, content, expiresAt } = await write((tx) =>
      issueChallenge(tx, { sessionHash: who.sessionHash, title, origin: publicUrl.origin }, now),
    )
    return { id, content: content.toString('base64'), expiresAt: expiresAt.toISOString() }
  })

  serve(confirmOrganization, async ({ input, who, now, write, language }) => {
    if (!checkSignature) refuse('service-unavailable')
    const { challengeId, kind, organizationId: wanted } = input
    // The challenge is used up first, whatever the result: a signature is accepted only once.
    const taken = await write((tx) => takeChallenge(tx, challengeId, who.sessionHash, now))
    const { content } = taken ?? refuse('challenge-not-found')
    const cms = decodeSignature(input.signature) ?? refuseSignature(['not-a-signature'], language)
    const shown = await checkPresented(checkSignature, {
      cms,
      content,
      at: now,
      userId: who.userId,
      language,
    })
    return write(async (tx) => {
      const claim = { userId: who.userId, kind, wanted, shown, content, cms, now, language }
      const { bin, name } = await proved(tx, claim)
      return decide(tx, dependencies, { ...claim, bin, name })
    })
  })
}

type Claim = {
  userId: string
  kind: ClaimKind
  wanted: string | undefined
  shown: PresentedSignature
  content: Buffer
  cms: Buffer
  now: Date
  language: Language
}

/** Returns the number that the key proves, after verifying that the key is the signer's own. */
async function proved(
  tx: Tx,
  { userId, kind, shown: { owner }, language }: Claim,
): Promise<{ bin: string; name: string }> {
  await lockUser(tx, userId)
  const user = await getUser(tx, userId)
  const faults = claimFaults(owner, kind, user.iin)
  if (faults.length > 0) refuseSignature(faults, language)
  const { iin } = owner
  const bin = kind === 'organization' ? owner.bin : iin
  if (iin === null || bin === null) refuseSignature(['iin-not-in-certificate'], language)
  // The key proves the number, but one number belongs to one person.
  if (user.iin === null && !(await linkIin(tx, userId, iin))) refuse('iin-already-in-use', { iin })
  return { bin, name: nameIn(owner, kind) ?? bin }
}

async function decide(
  tx: Tx,
  dependencies: ConfirmationDependencies,
  claim: Claim & { bin: string; name: string },
): Promise<ClaimResponse> {
  const { userId, bin, name, wanted, language } = claim
  const known = await lockKnown(tx, bin, userId)
  if (wanted !== undefined && !known.some(({ id, roles: mine }) => id === wanted && mine !== null)) {
    refuseSignature(['other-organization'], language)
  }
  const outcome = resultOfClaim(known, wanted)
  const nameOf = (id: string) => known.find((one) => one.id === id)?.shortName ?? name
  switch (outcome.type) {
    case 'already-yours':
      return refuse('organization-already-yours', { bin })
    case 'add': {
      const id = await add(tx, claim)
      await keep(tx, claim, id)
      return respond('added', { id, shortName: name, bin })
    }
    case 'confirm': {
      const { organizationId: id } = outcome
      const formerOwners = await confirm(tx, dependencies, claim, id)
      await dependencies.countForNumber(tx, id, bin)
      await joinUnclaimed(tx, claim)
      await keep(tx, claim, id)
      return respond('confirmed', { id, shortName: name, bin }, formerOwners)
    }
    case 'renew': {
      const { organizationId: id } = outcome
      await saveProof(tx, claim, id)
      await keep(tx, claim, id)
      return respond('confirmed', { id, shortName: name, bin })
    }
    case 'ask': {
      const { organizationId: id } = outcome
      await ask(tx, dependencies, claim, id)
      return respond('waiting', { id, shortName: nameOf(id), bin })
    }
  }
}

/** Adds the organisation; documents sent with keys of this number before anybody had an account become part of it. */
async function add(tx: Tx, { userId, kind, bin, name, now }: Claim & { bin: string; name: string }) {
  const unclaimed = await takeUnclaimed(tx, bin)
  const organizationId = unclaimed ?? newId(now.getTime())
  if (unclaimed !== null) await markConfirmed(tx, unclaimed, { name, now })
  else {
    await addOrganizationRow(tx, {
      id: organizationId,
      bin,
      isIndividual: kind === 'individual',
      shortName: name,
      confirmedAt: now,
      createdAt: now,
    })
  }
  const owner = asStaff(roles.of('Owner'))
  await addMembership(tx, { organizationId, userId, roles: owner, joinedAt: now })
  await addEvent(tx, { organizationId, by: userId, at: now, type: 'organization-added', subject: name })
  return organizationId
}

/**
 * The person already has another organisation with this number. Documents sent before stay in the unclaimed one, and
 * the person becomes a member there too.
 */
async function joinUnclaimed(tx: Tx, { userId, bin, name, now }: Claim & { bin: string; name: string }) {
  const organizationId = await takeUnclaimed(tx, bin)
  if (organizationId === null) return
  await addMembership(tx, { organizationId, userId, roles: asStaff(roles.of('Owner')), joinedAt: now })
  await addEvent(tx, { organizationId, by: userId, at: now, type: 'organization-added', subject: name })
}

/** Returns the names of those who were owners without a proof. */
async function confirm(
  tx: Tx,
  { endTokensOf, endGroupMapping }: ConfirmationDependencies,
  claim: Claim & { name: string },
  organizationId: string,
): Promise<string[]> {
  const { userId, now } = claim
  await saveProof(tx, claim, organizationId)
  // Appointments that were made without a proof end.
  await endAppointments(tx, organizationId)
  await endGroupMapping(tx, organizationId, { userId, now })
  const formerOwners: string[] = []
  for (const member of await findMembersRoles(tx, organizationId)) {
    const isSigner = member.userId === userId
    const after = rolesOnceConfirmed(member.roles, isSigner)
    if (after === member.roles) continue
    if (!isSigner) formerOwners.push(member.fullName)
    await saveRoles(tx, organizationId, member.userId, { roles: after, isAppointed: false })
    if (!isSigner) await endTokensOf(tx, organizationId, member.userId, { userId, now })
    const details = { userId: member.userId, before: member.roles, after }
    const event = { type: 'roles-changed', subject: member.fullName, details } as const
    await addEvent(tx, { organizationId, by: userId, at: now, ...event })
  }
  return formerOwners
}

async function saveProof(
  tx: Tx,
  { userId, shown, name, now }: Claim & { name: string },
  organizationId: string,
): Promise<void> {
  await markConfirmed(tx, organizationId, { name, now })
  const confirmed = { type: 'organization-confirmed', subject: fullNameOf(shown.owner) } as const
  await addEvent(tx, { organizationId, by: userId, at: now, ...confirmed, details: { name } })
}

async function ask(
  tx: Tx,
  dependencies: ConfirmationDependencies,
  claim: Claim,
  organizationId: string,
): Promise<void> {
  const { userId, shown, now } = claim
  const signatureId = await keep(tx, claim, organizationId)
  const id = newId(now.getTime())
  if (!(await addJoinRequest(tx, { id, organizationId, userId, signatureId, createdAt: now }))) return
  const person = await getUser(tx, userId)
  const event = { type: 'join-requested', subject: person.fullName, details: { userId } } as const
  await addEvent(tx, { organizationId, by: userId, at: now, ...event })
  await notifyOwners(tx, dependencies, organizationId, { person, signedBy: fullNameOf(shown.owner) })
}

async function keep(tx: Tx, claim: Claim, organizationId: string): Promise<string> {
  const { userId, content, cms, shown, now } = claim
  const id = newId(now.getTime())
  const { verdict } = judge(shown.signer.faults)
  const evidence = evidenceOf(shown)
  await keepSignature(tx, { id, organizationId, by: userId, at: now, content, cms, verdict, evidence })
  return id
}

type ClaimResponse = z.input<typeof confirmOrganization.result>

function respond(
  status: ClaimResponse['status'],
  { id, shortName, bin }: { id: string; shortName: string; bin: string },
  formerOwners: string[] = [],
): ClaimResponse {
  // A person who waits for the owners sees only what the key says about the organisation.
  const organization =
    status === 'waiting' ? null : { Id: id, ShortName: shortName, Bin: bin, IsConfirmed: true, LivesAt: null }
  return { status, shortName, bin, organization, formerOwners }
}

/** The name in the certificate, if it may stand in e-mails to people. */
function nameIn(owner: CertificateOwner, kind: ClaimKind): string | undefined {
  const name = kind === 'organization' ? owner.organization : fullNameOf(owner)
  return nameLine(250).safeParse(name).data
}
