/** What people and programs do on a working day, one act after the other; each is timed by its caller. */
import { setTimeout as pause } from 'node:timers/promises'
import { nameOf } from '@kelisim/bench/growth/search.ts'
import { passingRefusals, type SigningDay } from '@kelisim/bench/parts/signing-day.ts'
import { pdfOf } from '@kelisim/bench/parts/signer.ts'
import { newId } from '@kelisim/db/id.ts'
import { signDetached } from '@kelisim/signature/signer/sign-cms.ts'
import { poster, type Reply } from '../faults/caller.ts'

export const actNames = [
  'list',
  'open',
  'search',
  'upload',
  'send',
  'sign by computer',
  'sign by phone',
  'approve',
  'call of a program',
] as const
export type ActName = (typeof actNames)[number]

/** Runs the act and notes how long it took, and whether it was refused. */
export type Timed = <T>(name: ActName, act: () => Promise<T>) => Promise<T>

/** `url`: the process that this person works with; `origin`: the address that people know. */
export type Workplace = { url: string; origin: string; day: SigningDay; token: string }

const documentBytes = 20_000
const queries = ['договор', 'аренды', 'акт подряда', '777/2026']

/** One round of one person, in which the most frequent reads occur most often. Throws if an act is refused. */
export async function workRound(place: Workplace, timed: Timed, number: number): Promise<void> {
  const { url, origin, day, token } = place
  const { organizationId, routeId, points, cookies } = day
  const [author, approver] = [poster(url, cookies.author, origin), poster(url, cookies.approver, origin)]
  const read = (path: string) => got(`${url}/api/${path}`, { cookie: cookies.author })
  const list = () => timed('list', () => read(`SigningRequests/${organizationId}/outgoings/0/20`))

  await list()
  await timed('search', () =>
    read(`Search/${organizationId}?q=${encodeURIComponent(queries[number % queries.length]!)}`),
  )
  const document = pdfOf(number, documentBytes)
  const [documentId, signingRequestId] = [newId(), newId()]
  await timed('upload', async () =>
    taken(
      await author(
        `Documents/${organizationId}?name=load-${number}.pdf&visibilityScope=1&documentId=${documentId}`,
        document,
      ),
    ),
  )
  const request = { signingRequestId, documentId, routeId, name: nameOf(number) }
  await timed('send', async () => taken(await author(`SigningRequests/${organizationId}`, request)))
  const open = () => timed('open', () => read(`SigningRequests/${organizationId}/${signingRequestId}`))
  await open()
  const act = (pointId: string) => ({ signingRequestId, pointId, key: newId() })
  if (number % 2 === 0) {
    const signature = await signed(day, document)
    await timed('sign by computer', async () =>
      taken(
        await author(`SigningRequests/${organizationId}/CompanyInternalSign/sign`, {
          ...act(points.sign),
          signature,
        }),
      ),
    )
  } else await timed('sign by phone', () => signByPhone(place, signingRequestId))
  const approval = act(points.approve)
  await timed('approve', () =>
    insisting(() => approver(`SigningRequests/${organizationId}/InternalApprove/approve`, approval)),
  )
  await open()
  await list()
  await timed('call of a program', () =>
    got(`${url}/api/v1/requests?direction=outgoing&take=20`, { authorization: `Bearer ${token}` }),
  )
}

async function signed({ key }: SigningDay, document: Uint8Array): Promise<string> {
  return Buffer.from(await signDetached(document, key, { signingTime: new Date() })).toString('base64')
}

type Introduction = { document: { uri: string; auth_token: string } }
type PhoneDocuments = { documentsToSign: { document: { file: { data: string } } }[] }

/** All that the page and the national app do: the code, the introduction, the document, the signature. */
async function signByPhone({ url, origin, day }: Workplace, signingRequestId: string): Promise<void> {
  const { organizationId, points, cookies } = day
  const here = (address: string) => address.replace(origin, url)
  const { code } = await asked<{ code: string }>(`${url}/api/mgovSign/${organizationId}/crosslinks`, {
    method: 'POST',
    body: JSON.stringify({ signingRequestId, pointId: points.sign }),
    headers: { cookie: cookies.author, origin, 'content-type': 'application/json' },
  })
  const { document } = await asked<Introduction>(here(code.slice('mobileSign:'.length)), {})
  const authorization = `Bearer ${document.auth_token}`
  const given = await asked<PhoneDocuments>(here(document.uri), { headers: { authorization } })
  const { file } = given.documentsToSign[0]!.document
  file.data = await signed(day, Buffer.from(file.data, 'base64'))
  await asked(here(document.uri), {
    method: 'PUT',
    body: JSON.stringify(given),
    headers: { authorization, 'content-type': 'application/json' },
  })
}

async function got(url: string, headers: Record<string, string>): Promise<void> {
  await asked(url, { headers })
}

async function asked<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${response.status} ${(await response.text()).slice(0, 200)}`)
  return (await response.json()) as T
}

function taken({ status, alias }: Reply): void {
  if (status >= 300) throw new Error(`${status} ${alias}`)
}

/** Repeats the attempt until the signature before it is judged, as a person waits for the button. */
async function insisting(attempt: () => Promise<Reply>): Promise<void> {
  for (;;) {
    const reply = await attempt()
    if (!passingRefusals.includes(reply.alias ?? '')) return taken(reply)
    await pause(50)
  }
}
