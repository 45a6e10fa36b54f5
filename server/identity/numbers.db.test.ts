/** Numbers confirmed by a sign-in service: of people with an account, and of outsiders. */
import { describe, expect, test } from 'vitest'
import { addOrganization, getProfile, getRecipient, signOut } from '@kelisim/domain/identity/contract.ts'
import { publicUrl, startTestApp } from '../testing.ts'
import { client, openBrowser, startProvider, type Someone } from './sign-in/testing-providers.ts'

const people: Record<string, Someone> = {
  aigerim: { name: 'Айгерім Қасымова', email: 'aigerim@example.kz', email_verified: true },
  outsider: {
    name: 'Серікова Айгерім',
    iin: '900101400123',
    bin: '260140020007',
    org_name: 'ТОО «Алтын Дала»',
    outsider: true,
    locale: 'kk',
  },
}
const provider = await startProvider(people, { knowsNumbers: true })
const { app, database } = await startTestApp({ signIn: { issuer: provider.issuer, ...client } })
const appAddress = await app.listen({ port: 0, host: '127.0.0.1' })
provider.open(`${appAddress}/api-user/backchannel-logout`)

async function come(sub: string) {
  provider.seat(sub)
  const browser = openBrowser(app)
  const { shown } = await browser.follow('/api-user/autologin')
  return { browser, shown }
}

type Came = Awaited<ReturnType<typeof come>>
const ask = ({ browser }: Came, url: string) =>
  app.inject({ url, headers: { cookie: `session=${browser.jar.get('session') ?? ''}` } })

const usersWith = (iin: string) =>
  database.db.selectFrom('users').select('subject').where('iin', '=', iin).execute()

describe('somebody with an account', () => {
  test('has the IIN that the sign-in service gave at the last sign-in', async () => {
    expect((await ask(await come('aigerim'), getRecipient.path)).json()).toEqual({
      isOutsider: false,
      fullName: 'Айгерім Қасымова',
      iin: null,
      bin: null,
      organization: null,
    })
    people['aigerim']!.iin = '900101400124'
    expect((await ask(await come('aigerim'), getRecipient.path)).json()).toMatchObject({
      iin: '900101400124',
    })
    // an account keeps its number when the service no longer reports it
    delete people['aigerim']!.iin
    expect((await ask(await come('aigerim'), getRecipient.path)).json()).toMatchObject({
      iin: '900101400124',
    })
  })

  test.each(['90010140012', '9001014001245', 'IIN900101400', ' 90010140012'])(
    'signs in without an IIN if the given one is malformed: %s',
    async (iin) => {
      people['odd'] = { name: 'Odd', email: 'odd@example.kz', iin }
      expect((await ask(await come('odd'), getRecipient.path)).json()).toMatchObject({ iin: null })
    },
  )

  test('does not get an IIN that another person has', async () => {
    people['first'] = { name: 'First', iin: '900101400125' }
    people['second'] = { name: 'Second', iin: '900101400125' }
    await come('first')
    expect((await ask(await come('second'), getRecipient.path)).json()).toMatchObject({ iin: null })
    expect(await usersWith('900101400125')).toEqual([{ subject: 'first' }])
  })

  test('has an IIN alone when two people sign in with it at the same time', async () => {
    people['left'] = { name: 'Left', iin: '900101400126' }
    people['right'] = { name: 'Right', iin: '900101400126' }
    const arrivals = await Promise.all(
      ['left', 'right'].map(async (sub) => {
        const browser = openBrowser(app)
        let page = await browser.load('/api-user/autologin')
        while (!page.location!.href.includes('/interaction/')) page = await browser.load(page.location!)
        provider.seat(sub)
        while (!page.location!.href.includes('/api-user/callback')) page = await browser.load(page.location!)
        return { browser, callback: page.location! }
      }),
    )
    await Promise.all(arrivals.map(({ browser, callback }) => browser.load(callback)))
    expect(await usersWith('900101400126')).toHaveLength(1)
  })
})

describe('an outsider', () => {
  test('has a name and numbers, and is not a user', async () => {
    const came = await come('outsider')
    expect((await ask(came, getRecipient.path)).json()).toEqual({
      isOutsider: true,
      fullName: 'Серікова Айгерім',
      iin: '900101400123',
      bin: '260140020007',
      organization: 'ТОО «Алтын Дала»',
    })
    const refused = await ask(came, getProfile.path)
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({
      ClassName: 'PermissionDeniedException',
      ExceptionData: { Alias: 'account-needed' },
    })
    expect(
      await database.db.selectFrom('users').select('id').where('subject', '=', 'outsider').execute(),
    ).toEqual([])
  })

  test('cannot add an organisation', async () => {
    const { browser } = await come('outsider')
    const answer = await app.inject({
      method: 'POST',
      url: addOrganization.path,
      payload: { bin: '260140020007', shortName: 'Mine' },
      headers: { cookie: `session=${browser.jar.get('session')}`, origin: publicUrl.origin },
    })
    expect(answer.json()).toMatchObject({ ExceptionData: { Alias: 'account-needed' } })
  })

  test('is the same one at the next sign-in, and another one with other numbers', async () => {
    const count = async () =>
      (await database.db.selectFrom('outsiders').select('id').where('subject', '=', 'outsider').execute())
        .length
    const came = await come('outsider')
    const before = await count()
    await come('outsider')
    expect(await count()).toBe(before)
    people['outsider']!.bin = '150540005676'
    await come('outsider')
    expect(await count()).toBe(before + 1)
    // a session begun with the old number stays limited to the old number
    expect((await ask(came, getRecipient.path)).json()).toMatchObject({ bin: '260140020007' })
    people['outsider']!.bin = '260140020007'
  })

  test.each([
    ['no number', {}],
    ['half a number', { iin: '90010140012' }],
    ['a BIN that is none', { iin: '900101400123', bin: '26014002000' }],
  ])('with %s cannot sign in', async (_, numbers) => {
    people['crooked'] = { name: 'Crooked', outsider: true, ...numbers }
    const { browser, shown } = await come('crooked')
    expect(shown.search).toBe('?signIn=failed')
    expect(browser.jar.has('session')).toBe(false)
  })

  test('can sign out', async () => {
    const came = await come('outsider')
    const answer = await app.inject({
      method: 'POST',
      url: signOut.path,
      payload: {},
      headers: { cookie: `session=${came.browser.jar.get('session')}`, origin: publicUrl.origin },
    })
    expect(answer.json<{ location: string }>().location).toContain('id_token_hint')
    expect((await ask(came, getRecipient.path)).statusCode).toBe(401)
  })

  test('is signed out by the service too: back-channel logout', async () => {
    const came = await come('outsider')
    const bystander = await come('outsider')
    const question = await came.browser.load(new URL('/session/end', provider.issuer))
    const [, action] = /action="([^"]+)"/.exec(question.body)!
    const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(question.body)!
    const told = provider.told()
    await came.browser.submit(action!, { xsrf: xsrf!, logout: 'yes' })
    await told
    expect((await ask(came, getRecipient.path)).statusCode).toBe(401)
    expect((await ask(bystander, getRecipient.path)).statusCode).toBe(200)
  })
})

test('a sign-in service that does not support our scope is not asked for it, and its numbers are ignored', async () => {
  const foreign = await startProvider({ someone: { name: 'Someone', iin: '900101400127', outsider: true } })
  const other = await startTestApp({ signIn: { issuer: foreign.issuer, ...client } })
  foreign.open('http://127.0.0.1:1/none')
  const browser = openBrowser(other.app)
  const { location } = await browser.load('/api-user/autologin')
  expect(location!.searchParams.get('scope')).toBe('openid profile email')
  await browser.follow('/api-user/autologin')
  const answer = await other.app.inject({
    url: getRecipient.path,
    headers: { cookie: `session=${browser.jar.get('session')}` },
  })
  expect(answer.json()).toMatchObject({ isOutsider: false, iin: null })
})
