/** Nobody finds what they may not see: not by its name, not by a number, not by counting. */
import { describe, expect, test } from 'vitest'
import { getDocument } from '@kelisim/domain/documents/contract.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { getPoint } from '@kelisim/domain/points/contract.ts'
import { removeMember } from '@kelisim/domain/portal/contract.ts'
import { getRequest } from '@kelisim/domain/requests/contract.ts'
import { addTemplate, getTemplate, saveTemplate } from '@kelisim/domain/rich-text/contract.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { search } from '@kelisim/domain/search/contract.ts'
import { addSubstitution } from '@kelisim/domain/substitutions/contract.ts'
import { pointForm } from '../points/testing-points.ts'
import { actingIn, startRequestsApp } from '../requests/core/testing-requests.ts'
import { someBin } from '../testing.ts'
import { searcher } from './testing-search.ts'

const testApp = await startRequestsApp()
const { call, make } = testApp
const { act, signAt } = actingIn(testApp)
const { groups, titles } = searcher(testApp)

/** Makes a word that no other object contains. */
let words = 0
const newWord = () => `тайна${'абвгдежзик'[++words % 10]}${'лмнопрстуф'[Math.floor(words / 10) % 10]}`

describe('a request', () => {
  test('is found by those who may see it, from the time they may see it', async () => {
    const [sender, receiver, stranger] = [
      await testApp.company(),
      await testApp.company(),
      await testApp.company(),
    ]
    const signing = await sender.point('CompanyInternalSign')
    const external = await sender.point('ExternalSign', { bin: receiver.bin, emails: ['a@example.kz'] })
    const word = newWord()
    const { result: sent } = await sender.send(await sender.route(signing, external), {
      name: `Договор ${word}`,
    })
    const finds = async (id: string, { organizationId }: { organizationId: string }) =>
      (await titles(id, organizationId, word, 'request')).length > 0
    const all = async () => ({
      author: await finds(sender.employee, sender),
      owner: await finds(sender.owner, sender),
      colleague: await finds(sender.colleague, sender),
      outsideTheGroup: await finds(sender.administrator, sender),
      receiver: await finds(receiver.owner, receiver),
      receiversEmployee: await finds(receiver.employee, receiver),
      stranger: await finds(stranger.owner, stranger),
    })
    const before = {
      author: true,
      owner: true,
      colleague: true,
      outsideTheGroup: false,
      receiver: false,
      receiversEmployee: false,
      stranger: false,
    }
    expect(await all()).toEqual(before)
    const employee = { id: sender.employee, organizationId: sender.organizationId }
    await signAt(employee, sent, 'CompanyInternalSign', sender.stamp)
    expect(await all()).toEqual({ ...before, receiver: true })
  })

  test('is not found by a counterparty that the viewer is not shown', async () => {
    const [sender, receiver] = [await testApp.company(), await testApp.company()]
    const informed = { bin: someBin(9000) }
    const mail = { emails: ['a@example.kz'] }
    const external = await sender.point('ExternalSign', { bin: receiver.bin, ...mail })
    const hidden = await sender.point('ExternalInformation', {
      bin: informed.bin,
      organizationName: 'ТОО «Тайный советник»',
      ...mail,
    })
    await sender.send(await sender.route(external, hidden), { name: 'Договор' })
    const found = async (id: string, organizationId: string, q: string) =>
      (await groups(id, organizationId, q)).map(({ kind }) => kind)
    for (const q of ['советник', informed.bin, `договор ${informed.bin}`]) {
      expect(await found(sender.employee, sender.organizationId, q)).toContain('request')
      expect(await found(receiver.owner, receiver.organizationId, q)).toEqual([])
    }
    expect(await found(receiver.owner, receiver.organizationId, 'договор')).toContain('request')
    expect(await found(receiver.owner, receiver.organizationId, receiver.bin)).not.toContain('counterparty')
  })

  test('is found by a substitute only while it waits during the agreed days', async () => {
    const { organizationId, employee, colleague, administrator, routesAdministrator, ...firm } =
      await testApp.company()
    const { point, route, send, group } = firm
    const groupId = await group('Юристы', employee)
    const word = newWord()
    const routeId = await route(await point('InternalApprove', { groupId }))
    const { result: sent } = await send(routeId, { name: word }, colleague)
    const finds = async (id = administrator) => (await titles(id, organizationId, word, 'request')).length > 0
    const stand = (substituteId: string, from: string, to: string) =>
      call(employee, addSubstitution, { organizationId, substituteId, from, to })
    expect(await finds()).toBe(false)
    await stand(administrator, '2026-11-15', '2026-11-16')
    await stand(routesAdministrator, '2026-11-18', '2026-11-20')
    expect([await finds(), await finds(routesAdministrator)]).toEqual([true, false])
    await act({ id: employee, organizationId }, sent, 'InternalApprove', 'approve')
    expect(await finds()).toBe(false)
  })
})

describe('a private object', () => {
  test('is found by its author and by owners only, and by others once it is shared', async () => {
    const { organizationId, owner, employee, colleague, upload, add, point } = await testApp.company()
    const word = newWord()
    const shared = { organizationId, description: word, visibilityScope: 1 } as const
    await upload(employee, organizationId, { name: `${word}.pdf`, visibilityScope: 1 })
    const own = (
      await add(
        owner,
        pointForm('ExternalSign', { name: word, visibilityScope: 1, emails: ['a@example.kz'] }),
      )
    ).result
    const { result: template } = await call(employee, addTemplate, {
      ...shared,
      param: 'new',
      name: word,
      template: '<p>Текст</p>',
      language: 'ru',
    })
    const points = [{ pointId: await point('InternalApprove'), order: 1 }]
    await call(owner, routeCalls.add, { ...shared, name: word, points })
    const kinds = async (id: string) => (await groups(id, organizationId, word)).map(({ kind }) => kind)
    expect(own).toBeDefined()
    expect(await kinds(owner)).toEqual(expect.arrayContaining(['document', 'template', 'route']))
    expect(await kinds(employee)).toEqual(['document', 'template'])
    expect(await kinds(colleague)).toEqual([])
    const { name, template: html, currentVersion } = template
    const templateId = template.id
    const change = { organizationId, templateId, name, template: html, currentVersion, description: word }
    await call(employee, saveTemplate, { ...change, language: 'ru', visibilityScope: 2 })
    expect(await kinds(colleague)).toEqual(['template'])
  })
})

test('people are found by members of their organisation only, while they belong to it', async () => {
  const { organizationId, owner, employee } = await testApp.company()
  const elsewhere = await testApp.company()
  const word = newWord()
  const person = await make.member(organizationId, await make.person(`Марат ${word}`))
  expect(await titles(employee, organizationId, word, 'person')).toEqual([`Марат ${word}`])
  expect(await titles(elsewhere.owner, elsewhere.organizationId, word, 'person')).toEqual([])
  await call(owner, removeMember, { organizationId, userId: person })
  expect(await titles(employee, organizationId, word, 'person')).toEqual([])
})

test('an organisation that one does not belong to is refused like one that does not exist', async () => {
  const { organizationId } = await testApp.company()
  const stranger = await make.person()
  const foreign = await call(stranger, search, { organizationId, q: 'договор' })
  const missing = await call(stranger, search, { organizationId: emptyId, q: 'договор' })
  expect([foreign.status, foreign.error.ExceptionData.Alias]).toEqual([
    missing.status,
    missing.error.ExceptionData.Alias,
  ])
  expect((await call(null, search, { organizationId, q: 'договор' })).status).toBe(401)
})

test('everything that is found can be opened, and everything that is not found cannot', async () => {
  const [one, other] = [await testApp.company(), await testApp.company()]
  const word = newWord()
  const external = await one.point('ExternalSign', { name: word, bin: other.bin, emails: ['a@example.kz'] })
  const inner = await one.point('InternalApprove', { name: word, visibilityScope: 1 })
  const requests = [
    (await one.send(await one.route(external), { name: `${word} наружу` })).result.id,
    (await one.send(await one.route(external), { name: `${word} владельца` }, one.owner)).result.id,
  ]
  const documents = await Promise.all(
    [one.owner, one.employee, one.colleague].map(async (id, i) => {
      const visibilityScope = 1 + (i % 2)
      return (await one.upload(id, one.organizationId, { name: `${word}${i}.pdf`, visibilityScope })).result
        .id
    }),
  )
  for (const { organizationId, people } of [one, other]) {
    for (const id of Object.values(people)) {
      const found = await groups(id, organizationId, word, { take: 50 })
      const of = (kind: string) =>
        found.find((group) => group.kind === kind)?.items.map((item) => item.id) ?? []
      const opens = async (statuses: Promise<{ status: number }>[]) =>
        (await Promise.all(statuses)).map(({ status }) => status === 200)
      expect(requests.map((signingRequestId) => of('request').includes(signingRequestId))).toEqual(
        await opens(
          requests.map((signingRequestId) => call(id, getRequest, { organizationId, signingRequestId })),
        ),
      )
      expect(documents.map((documentId) => of('document').includes(documentId))).toEqual(
        await opens(documents.map((documentId) => call(id, getDocument, { organizationId, documentId }))),
      )
      expect([external, inner].map((pointId) => of('point').includes(pointId))).toEqual(
        await opens([external, inner].map((pointId) => call(id, getPoint, { organizationId, pointId }))),
      )
      const ids = found.flatMap(({ items }) => items.map((item) => item.id))
      const templates = await opens(
        of('template').map((templateId) => call(id, getTemplate, { organizationId, templateId })),
      )
      expect(templates.every(Boolean)).toBe(true)
      // Hidden things are not counted either.
      expect(found.every(({ hasMore }) => !hasMore)).toBe(true)
      expect(new Set(ids).size).toBe(ids.length)
    }
  }
})
