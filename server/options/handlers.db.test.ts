import { describe, expect, test } from 'vitest'
import {
  getNotificationSettings,
  getOptions,
  getUserOptions,
  saveNotificationSettings,
  saveOptions,
  saveUserOptions,
} from '@kelisim/domain/options/contract.ts'
import { defaultOptions, notificationKinds } from '@kelisim/domain/options/options.ts'
import { addGroup, getOrganizationEvents } from '@kelisim/domain/portal/contract.ts'
import { startTestApp } from '../testing.ts'

const { call, make, database } = await startTestApp()

describe('options of the organisation', () => {
  test('start with the values of the specification and say what the reader may do', async () => {
    const [boss, clerk] = [await make.person(), await make.person()]
    const organizationId = await make.organization(boss)
    await make.member(organizationId, clerk)
    const open = { editPoints: true, editRoutes: true, quickSend: true }
    expect((await call(boss, getOptions, { organizationId })).result).toEqual({
      ...defaultOptions,
      allowed: { manageOrganization: true, keepRegisters: true, ...open },
    })
    expect((await call(clerk, getOptions, { organizationId })).result.allowed).toEqual({
      manageOrganization: false,
      keepRegisters: false,
      ...open,
    })
  })

  test('change only where given; null leaves a setting as it is', async () => {
    const [boss, clerk] = [await make.person(), await make.person()]
    const organizationId = await make.organization(boss)
    await make.member(organizationId, clerk)
    await call(boss, saveOptions, {
      organizationId,
      usePointsRolePermission: true,
      documentsUploadPdfOnly: null,
    })
    const { result } = await call(clerk, getOptions, { organizationId })
    expect(result).toMatchObject({ ...defaultOptions, usePointsRolePermission: true })
    expect(result.allowed).toMatchObject({ editPoints: false, editRoutes: true, quickSend: false })
  })

  test('have their changes in the history, but not empty ones', async () => {
    const boss = await make.person()
    const organizationId = await make.organization(boss)
    await call(boss, saveOptions, { organizationId })
    await call(boss, saveOptions, { organizationId, allowedPointTypesForIncomingSigningRequests: 0 })
    const { items } = (await call(boss, getOrganizationEvents, { organizationId, skip: 0, take: 10 })).result
    expect(items).toMatchObject([
      { type: 'options-changed', subject: 'allowedPointTypesForIncomingSigningRequests' },
    ])
  })

  test.each([4, -1, 1.5, '3', 2 ** 53])('refuse %s as the kinds of points for receiving', async (value) => {
    const boss = await make.person()
    const organizationId = await make.organization(boss)
    const wrong = { organizationId, allowedPointTypesForIncomingSigningRequests: value as number }
    expect((await call(boss, saveOptions, wrong)).status).toBe(400)
  })

  test('are read with a single database query', async () => {
    const boss = await make.person()
    const organizationId = await make.organization(boss)
    await call(boss, getOptions, { organizationId })
    let queries = 0
    const count = () => queries++
    database.pool.on('acquire', count)
    await call(boss, getOptions, { organizationId })
    database.pool.off('acquire', count)
    expect(queries).toBe(1)
  })
})

describe('options of the person', () => {
  test('the quick-send group is one of the person’s own, or none', async () => {
    const [boss, clerk] = [await make.person(), await make.person()]
    const organizationId = await make.organization(boss)
    await make.member(organizationId, clerk)
    const { id } = (await call(boss, addGroup, { organizationId, name: 'G', participants: [boss] })).result
    const saved = await call(boss, saveUserOptions, { organizationId, quickSendGroupId: id })
    expect(saved.result).toEqual({ userId: boss, quickSendGroupId: id, options: defaultOptions })
    expect((await call(boss, getUserOptions, { organizationId })).result).toEqual(saved.result)
    const refused = await call(clerk, saveUserOptions, { organizationId, quickSendGroupId: id })
    expect(refused.error.ExceptionData.Alias).toBe('user-group-not-found')
    await call(boss, saveUserOptions, { organizationId, quickSendGroupId: null })
    expect((await call(boss, getUserOptions, { organizationId })).result.quickSendGroupId).toBeNull()
  })

  test('a group of my other organisation is not one of mine here', async () => {
    const boss = await make.person()
    const [here, there] = [await make.organization(boss), await make.organization(boss)]
    const { id } = (await call(boss, addGroup, { organizationId: there, name: 'G', participants: [boss] }))
      .result
    const refused = await call(boss, saveUserOptions, { organizationId: here, quickSendGroupId: id })
    expect(refused.error.ExceptionData.Alias).toBe('user-group-not-found')
  })

  test('of notifications list every kind; a save changes only those named', async () => {
    const boss = await make.person()
    const organizationId = await make.organization(boss)
    const before = (await call(boss, getNotificationSettings, { organizationId })).result.settings
    expect(before).toEqual(notificationKinds.map((kind) => ({ kind, mode: 'at-once' })))
    const change = [
      { kind: 'signed', mode: 'daily' },
      { kind: 'comment', mode: 'off' },
      { kind: 'signed', mode: 'off' },
    ] as const
    const after = await call(boss, saveNotificationSettings, { organizationId, settings: [...change] })
    const named = after.result.settings.filter((s) => s.mode !== 'at-once')
    expect(named).toEqual([
      { kind: 'signed', mode: 'off' },
      { kind: 'comment', mode: 'off' },
    ])
    expect((await call(boss, getNotificationSettings, { organizationId })).result).toEqual(after.result)
  })
})
