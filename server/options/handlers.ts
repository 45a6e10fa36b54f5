/** Options of the organisation, of the person in it, and the person's notification settings. */
import * as z from 'zod/mini'
import type { Db } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  getNotificationSettings,
  getOptions,
  getUserOptions,
  saveNotificationSettings,
  saveOptions,
  saveUserOptions,
} from '@kelisim/domain/options/contract.ts'
import {
  defaultNotificationMode,
  notificationKinds,
  OrganizationOptions,
} from '@kelisim/domain/options/options.ts'
import { isOwner, mayEditPoints, mayEditRoutes, mayQuickSend } from '@kelisim/domain/identity/permissions.ts'
import { mayKeepRegisters } from '@kelisim/domain/registers/permissions.ts'
import type { Http } from '../http/open.ts'
import type { Member } from '../http/session.ts'
import {
  findNotificationModes,
  findQuickSendGroup,
  lockParticipation,
  saveNotificationMode,
  saveOrganizationOptions,
  saveQuickSendGroup,
} from './queries.ts'
import { addEvent } from '../identity/core/queries.ts'

export function openOptions({ serve }: Http): void {
  // Called on load and at every change of organisation: the session query has already loaded all of it.
  serve(getOptions, async ({ who: { member } }) => optionsView(member.options, member))

  serve(saveOptions, ({ input, who, now, write }) => {
    const { organizationId, options } = who.member
    const given = Object.entries(input).filter(([, value]) => value !== null && value !== undefined)
    const change = z.partial(OrganizationOptions).parse(Object.fromEntries(given))
    const names = Object.keys(change)
    if (names.length === 0) return Promise.resolve(optionsView(options, who.member))
    return write(async (tx) => {
      const saved = await saveOrganizationOptions(tx, organizationId, change)
      const event = { type: 'options-changed', subject: names.join(', '), details: change } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
      return optionsView(saved, who.member)
    })
  })

  serve(getUserOptions, async ({ who, db }) => {
    const { organizationId, options } = who.member
    const quickSendGroupId = await findQuickSendGroup(db, organizationId, who.userId)
    return { userId: who.userId, quickSendGroupId, options }
  })

  serve(saveUserOptions, async ({ input: { quickSendGroupId }, who, write }) => {
    const { organizationId, options } = who.member
    await write(async (tx) => {
      const isMine =
        quickSendGroupId === null ||
        (await lockParticipation(tx, organizationId, quickSendGroupId, who.userId))
      if (!isMine) refuse('user-group-not-found')
      await saveQuickSendGroup(tx, organizationId, who.userId, quickSendGroupId)
    })
    return { userId: who.userId, quickSendGroupId, options }
  })

  serve(getNotificationSettings, ({ who, db }) => settingsView(db, who.member.organizationId, who.userId))

  serve(saveNotificationSettings, ({ input: { settings }, who, write }) =>
    write(async (tx) => {
      const { organizationId } = who.member
      for (const setting of settings) await saveNotificationMode(tx, organizationId, who.userId, setting)
      return settingsView(tx, organizationId, who.userId)
    }),
  )
}

function optionsView(options: OrganizationOptions, member: Pick<Member, 'roles' | 'isAppointed'>) {
  const mine = member.roles
  return {
    ...options,
    allowed: {
      manageOrganization: isOwner(mine),
      editPoints: mayEditPoints(mine, options),
      editRoutes: mayEditRoutes(mine, options),
      quickSend: mayQuickSend(mine, options),
      keepRegisters: mayKeepRegisters(member),
    },
  }
}

/** Returns the setting of every kind, also those that were never changed. */
async function settingsView(db: Db, organizationId: string, userId: string) {
  const modes = await findNotificationModes(db, organizationId, userId)
  return {
    settings: notificationKinds.map((kind) => ({ kind, mode: modes.get(kind) ?? defaultNotificationMode })),
  }
}
