/**
 * People by SCIM, which makes nobody a member: a created person is invited, and joins by the link in the e-mail.
 * Inviting and dismissing are the calls of the Administrative Portal, so they have the same effects and refusals.
 */
import { isUniqueViolation } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import {
  addScimUser,
  changeScimUser,
  deleteScimUser,
  findScimUsers,
  getScimUser,
  replaceScimUser,
} from '@kelisim/domain/directory/contract.ts'
import { addressOf, changedPerson, personOf, type DirectoryPerson } from '@kelisim/domain/directory/people.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import { invite, removeMember, withdrawInvitation } from '@kelisim/domain/portal/contract.ts'
import { preferredLanguage, type Language } from '@kelisim/texts/languages.ts'
import type { SameHandlers } from '../http/same-handlers.ts'
import type { Call, Serve } from '../http/serve.ts'
import {
  conditionOnPeople,
  deletePerson,
  findMemberToTakeOver,
  findPeople,
  findPersonRow,
  isTaken,
  linkJoined,
  savePerson,
  type PersonRow,
  type SavedPerson,
} from './queries.ts'
import { comparisonsOf, isActive, listOf, userView, windowOf } from './views.ts'

type ProgramCall = Call<'program', unknown>

export function userCalls(serve: Serve, same: SameHandlers, publicUrl: URL): void {
  serve(findScimUsers, async (call) => {
    const { organizationId } = call.who.member
    const window = windowOf(call.input)
    const condition =
      conditionOnPeople(comparisonsOf(call.input.filter)) ?? refuse('directory-filter-not-understood')
    await call.write((tx) => linkJoined(tx, organizationId))
    const { rows, total } = await findPeople(call.db, organizationId, condition, window, call.now)
    return listOf(
      rows.map((row) => userView(row, publicUrl)),
      total,
      window,
    )
  })

  serve(getScimUser, async (call) => userView(await mustFind(call, call.input.userId), publicUrl))

  serve(addScimUser, async (call) => {
    const { organizationId } = call.who.member
    const told = personOf(call.input)
    const email = addressOf(told) ?? refuse('directory-address-missing')
    const memberId = await findMemberToTakeOver(call.db, organizationId, email)
    const id = memberId ?? newId(call.now.getTime())
    const row = rowOf(told, { id, organizationId, userId: memberId ?? null, email })
    if (await isTaken(call.db, row)) refuse('directory-person-exists')
    // Invited before the row is saved, so that a person who cannot be invited now can be created later.
    if (memberId === undefined && told.isActive !== false) await inviteBy(call, same, email, languageOf(call))
    await save(call, row)
    return userView(await mustFind(call, id), publicUrl)
  })

  serve(replaceScimUser, async (call) => {
    const before = await mustFind(call, call.input.userId)
    await apply(call, same, before, personOf(call.input))
    return userView(await mustFind(call, before.id), publicUrl)
  })

  serve(changeScimUser, async (call) => {
    const before = await mustFind(call, call.input.userId)
    const now = { ...before, isActive: undefined }
    const after = changedPerson(now, call.input.Operations) ?? refuse('directory-change-not-understood')
    await apply(call, same, before, after)
    return userView(await mustFind(call, before.id), publicUrl)
  })

  serve(deleteScimUser, async (call) => {
    const before = await mustFind(call, call.input.userId)
    await dismiss(call, same, before)
    await call.write((tx) => deletePerson(tx, call.who.member.organizationId, before.id))
    return {}
  })
}

async function mustFind(call: ProgramCall, id: string): Promise<PersonRow> {
  const { organizationId } = call.who.member
  await call.write((tx) => linkJoined(tx, organizationId))
  return (await findPersonRow(call.db, organizationId, id, call.now)) ?? refuse('user-not-found')
}

/** A member keeps their own address; a person who is only invited is invited again at the new one. */
async function apply(
  call: ProgramCall,
  same: SameHandlers,
  before: PersonRow,
  after: DirectoryPerson,
): Promise<void> {
  const { organizationId } = call.who.member
  const email = addressOf(after) ?? refuse('directory-address-missing')
  const row = rowOf(after, { id: before.id, organizationId, userId: before.memberId, email })
  if (await isTaken(call.db, row)) refuse('directory-person-exists')
  const isWanted = after.isActive ?? isActive(before)
  if (!isWanted) await dismiss(call, same, before)
  else if (before.memberId === null) {
    const hasMoved = before.email !== email
    if (hasMoved) await dismiss(call, same, before)
    const isOpen = before.invitationId !== null && !before.isInvitationOver && !hasMoved
    if (!isOpen) await inviteBy(call, same, email, languageOf(call))
  }
  await save(call, row)
}

/** Dismisses like an owner in the portal: a member loses access with the next call, an invitation stops working. */
async function dismiss(call: ProgramCall, same: SameHandlers, person: PersonRow): Promise<void> {
  const { organizationId } = call.who.member
  const { memberId, invitationId } = person
  if (memberId !== null) await same.run(removeMember, call, { organizationId, userId: memberId })
  else if (invitationId !== null) await same.run(withdrawInvitation, call, { organizationId, invitationId })
}

async function inviteBy(
  call: ProgramCall,
  same: SameHandlers,
  email: string,
  language: Language,
): Promise<void> {
  const { organizationId } = call.who.member
  await same.run(invite, call, { organizationId, email, language, roles: roles.of('Employee') })
}

/** The language that the directory reports for the person, otherwise that of the call. */
function languageOf({ input, language }: ProgramCall): Language {
  const told = (input as { preferredLanguage?: unknown }).preferredLanguage
  return (typeof told === 'string' ? preferredLanguage([told]) : undefined) ?? language
}

function rowOf(
  { userName, externalId, givenName, familyName, displayName }: DirectoryPerson,
  known: Pick<SavedPerson, 'id' | 'organizationId' | 'userId' | 'email'>,
): SavedPerson {
  return { ...known, userName, externalId, givenName, familyName, displayName }
}

const uniqueness = [
  'directory_people_user_name',
  'directory_people_email',
  'directory_people_external_id',
  'directory_people_user',
]

/** If two concurrent calls add the same person, the unique indexes decide. */
async function save({ write, now }: ProgramCall, row: SavedPerson): Promise<void> {
  try {
    await write((tx) => savePerson(tx, row, now))
  } catch (error) {
    if (uniqueness.some((index) => isUniqueViolation(error, index))) refuse('directory-person-exists')
    throw error
  }
}
