/** The signed-in person: profile, organisations, language, agreement, groups, and joining by an invitation. */
import { createHash } from 'node:crypto'
import { newId } from '@kelisim/db/id.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  acceptAgreement,
  acceptInvitation,
  addOrganization,
  agreementCookie,
  agreementVersion,
  getInvitation,
  getMyGroups,
  getOrganizations,
  getProfile,
  getRecipient,
  getRoles,
  setLanguage,
} from '@kelisim/domain/identity/contract.ts'
import { isExpired, maskEmail, whyNotAccept } from '@kelisim/domain/portal/invitations.ts'
import { isPersonNumber } from '@kelisim/domain/numbers.ts'
import { asStaff, roles } from '@kelisim/domain/identity/roles.ts'
import type { Serve } from '../http/serve.ts'
import { isOutsider, type Sessions } from '../http/session.ts'
import {
  addEvent,
  addMembership,
  addOrganizationRow,
  closeInvitationsTo,
  findGroupsOf,
  findHeldInvitation,
  findOrganizationsOf,
  getUser,
  isConfirmedNumber,
  joinInvitedGroups,
  lockHeldInvitation,
  lockUser,
  markAccepted,
  saveAgreement,
  saveLanguage,
} from './core/queries.ts'
import { lockOwners } from './core/membership-queries.ts'
import { hour, second } from '@kelisim/domain/durations.ts'

export function identityHandlers(serve: Serve, { isOperator }: Pick<Sessions, 'isOperator'>): void {
  serve(getProfile, async ({ who, db }) => {
    const user = await getUser(db, who.userId)
    return {
      UserId: user.id,
      Login: user.login,
      FullName: user.fullName,
      Email: user.email,
      Language: user.language,
      IsAgreementAccepted: user.agreementVersion === agreementVersion,
      ...((await isOperator(user.id)) && { IsOperator: true as const }),
    }
  })

  serve(getRecipient, async ({ who, db }) => {
    if (isOutsider(who)) return { isOutsider: true, ...who }
    const { fullName, iin } = await getUser(db, who.userId)
    return { isOutsider: false, fullName, iin, bin: null, organization: null }
  })

  serve(getOrganizations, async ({ who, db }) => {
    const found = await findOrganizationsOf(db, who.userId)
    return {
      Organizations: found.map(({ id, shortName, bin, confirmedAt, livesAt }) => ({
        Id: id,
        ShortName: shortName,
        Bin: bin,
        IsConfirmed: confirmedAt !== null,
        LivesAt: livesAt,
      })),
    }
  })

  serve(getRoles, async ({ who, db }) => {
    const found = await findOrganizationsOf(db, who.userId)
    return {
      UserRolesInfoes: found.flatMap(({ id, roles: mask }) =>
        roles.list(mask).map((name) => ({ RoleName: name, OrganizationId: id })),
      ),
    }
  })

  serve(addOrganization, ({ input: { bin, shortName }, who, now, write }) =>
    write(async (tx) => {
      await lockUser(tx, who.userId)
      const mine = await findOrganizationsOf(tx, who.userId)
      if (mine.some((o) => o.bin === bin)) refuse('organization-already-yours', { bin })
      if (await isConfirmedNumber(tx, bin)) refuse('organization-of-others', { bin })
      const organizationId = newId(now.getTime())
      const isIndividual = isPersonNumber(bin)
      const row = { id: organizationId, bin, isIndividual, shortName, confirmedAt: null, createdAt: now }
      await addOrganizationRow(tx, row)
      const owner = asStaff(roles.of('Owner'))
      await addMembership(tx, { organizationId, userId: who.userId, roles: owner, joinedAt: now })
      const type = 'organization-added'
      await addEvent(tx, { organizationId, by: who.userId, at: now, type, subject: shortName })
      return { Id: organizationId, ShortName: shortName, Bin: bin, IsConfirmed: false, LivesAt: null }
    }),
  )

  serve(setLanguage, async ({ input, who, write }) => {
    await write((tx) => saveLanguage(tx, who.userId, input.language))
    return {}
  })

  serve(acceptAgreement, async ({ input: { version }, who, now, write, browser }) => {
    if (version !== agreementVersion) refuse('agreement-not-found')
    if (who) await write((tx) => saveAgreement(tx, who.userId, version, now))
    // Nobody is signed in: the acceptance is kept briefly, so that it applies to the person at this browser now and
    // not to the next one.
    else browser.setCookie(agreementCookie, version, { maxAge: hour / second })
    return {}
  })

  serve(getMyGroups, ({ input, who, db }) => findGroupsOf(db, who.userId, input))

  serve(getInvitation, async ({ input, now, db }) => {
    const held = (await findHeldInvitation(db, hashOf(input.token))) ?? refuse('invitation-not-found')
    const { organizationName, bin, roles: mask, invitedBy, email, expiresAt } = held
    return {
      organizationName,
      bin,
      roles: mask,
      invitedBy,
      email,
      isConfirmed: held.confirmedAt !== null,
      expiresAt: expiresAt.toISOString(),
      isExpired: isExpired(held, now),
    }
  })

  serve(acceptInvitation, ({ input, who, now, write }) =>
    write(async (tx) => {
      const found = (await findHeldInvitation(tx, hashOf(input.token))) ?? refuse('invitation-not-found')
      const { organizationId } = found
      const owners = await lockOwners(tx, organizationId)
      const held = (await lockHeldInvitation(tx, hashOf(input.token))) ?? refuse('invitation-not-found')
      // An invitation is void once its author no longer owns the organisation.
      if (!owners.includes(held.inviterId)) refuse('invitation-not-found')
      const user = await getUser(tx, who.userId)
      const problem = whyNotAccept(held, user, now)
      if (problem) refuse(problem, { email: maskEmail(held.email) })
      const membership = { organizationId, userId: who.userId, roles: asStaff(held.roles), joinedAt: now }
      if (!(await addMembership(tx, membership))) refuse('already-member')
      await markAccepted(tx, held.id, who.userId, now)
      await joinInvitedGroups(tx, held.id, who.userId)
      await closeInvitationsTo(tx, organizationId, held.email, now)
      const event = { type: 'joined', subject: user.fullName, details: { userId: who.userId } } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
      return { organizationId }
    }),
  )
}

/** The link holds the token, the table its SHA-256: a leaked table gives no access. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
