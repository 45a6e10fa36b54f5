/**
 * Ten thousand pages that stay open at one process (server-sent events): what a list takes beside them (95th percentile) against
 * a process that has none, what they cost while nothing happens, and how long it takes until an act that concerns all of their
 * people has reached every page.
 */
import { get, type ClientRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { makePdf } from '@kelisim/demo/sample-files.ts'
import { rounded, type Measure } from '../parts/measure.ts'
import { percentile95 } from '../parts/percentile.ts'
import { processorTime, residentMegabytes } from '../parts/product.ts'
import { sessionOf, someSession } from '../parts/session.ts'
import {
  allowSending,
  caller,
  pointOf,
  routeThrough,
  uploadPath,
  withProduct,
  type Call,
} from '../parts/work.ts'
import { addMember } from './senders.ts'

const port = 3294
/** A caller may have thirty streams. */
const pagesOfEach = 25
const people = 400
const openedAtOnce = 50
const goal = { ratio: 2, seconds: 30 }
const idleSeconds = 60
const measured = { calls: 1000, warmUpCalls: 100 }

export async function livePages(): Promise<Measure> {
  return withProduct(port, async ({ product, client, connection }) => {
    const { cookie, organizationId } = await someSession(connection)
    const call = caller(product, cookie)
    const { send, cookies } = await everybodyInOneGroup(client, call, organizationId)
    const list = `${product.url}/api/SigningRequests/${organizationId}/outgoings/0/20`
    const anchor = await percentile95(list, cookie, measured)
    const memoryBefore = residentMegabytes(product.pid)

    const pages = openedPages(`${product.url}/api/Notifications/${organizationId}/live`)
    const all = cookies.flatMap((one) => Array<string>(pagesOfEach).fill(one))
    const openedIn = await secondsOf(() => pages.open(all))
    const grown = residentMegabytes(product.pid) - memoryBefore
    const used = processorTime(product.pid)
    await pause(idleSeconds * 1000)
    const idle = (processorTime(product.pid) - used) / (idleSeconds * 1000)
    const value = await percentile95(list, cookie, measured)
    const toldIn = await secondsOf(async () => {
      const told = pages.eachTold()
      await send()
      await told
    })
    const lost = pages.lost()
    pages.close()
    const ratio = value / anchor
    return {
      name: 'livePages',
      value: rounded(value),
      anchor: rounded(anchor),
      ratio: rounded(ratio),
      goal: `ratio <= ${goal.ratio}, all ${all.length} told within ${goal.seconds} s`,
      ok: ratio <= goal.ratio && toldIn <= goal.seconds && lost === 0,
      note:
        `ms of a list at the 95th percentile; ${all.length} pages opened in ${rounded(openedIn)} s, ` +
        `${rounded((grown * 1024) / all.length)} KB each; while nothing happens they take ${rounded(idle * 100)} % of a core; ` +
        `all told in ${rounded(toldIn)} s; ${lost} lost`,
    }
  })
}

/** A route on which all these people are asked at once. */
async function everybodyInOneGroup(
  client: pg.Client,
  call: Call,
  organizationId: string,
): Promise<{ send: () => Promise<void>; cookies: string[] }> {
  await allowSending(client, organizationId)
  const members: string[] = []
  for (let i = 0; i < people; i++) members.push(await addMember(client, organizationId, 'Employee'))
  const cookies: string[] = []
  for (const userId of members) cookies.push(await sessionOf(client, userId))
  const pointId = await pointOf(client, call, organizationId, { people: members, type: 'InternalApprove' })
  const routeId = await routeThrough(call, organizationId, [pointId])
  const { id: documentId } = await call(uploadPath(organizationId), makePdf(['To everybody']))
  return {
    send: async () =>
      void (await call(`SigningRequests/${organizationId}`, { documentId, routeId, name: 'Bench' })),
    cookies,
  }
}

async function secondsOf(act: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await act()
  return (performance.now() - began) / 1000
}

function openedPages(url: string) {
  const requests: ClientRequest[] = []
  const waiting = new Set<ClientRequest>()
  let lost = 0
  let isClosing = false
  let allTold = () => {}

  /** Resolves with the first message, which every page gets as it opens. */
  function opened(cookie: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const request = get(url, { agent: false, headers: { cookie } }, (response) => {
        if (response.statusCode !== 200)
          reject(new Error(`a page could not be opened: ${response.statusCode}`))
        response.on('data', (chunk: Buffer) => {
          if (!chunk.includes('data:')) return
          resolve()
          if (waiting.delete(request) && waiting.size === 0) allTold()
        })
        response.on('close', () => {
          if (!isClosing) lost += 1
        })
        response.on('error', () => {})
      })
      request.on('error', reject)
      requests.push(request)
    })
  }

  return {
    async open(cookies: readonly string[]): Promise<void> {
      const left = [...cookies]
      await Promise.all(
        Array.from({ length: openedAtOnce }, async () => {
          for (let cookie = left.pop(); cookie !== undefined; cookie = left.pop()) await opened(cookie)
        }),
      )
    },
    /** Resolves when each page got a message after this. */
    eachTold(): Promise<void> {
      for (const request of requests) waiting.add(request)
      return new Promise((resolve) => (allTold = resolve))
    },
    lost: () => lost,
    close() {
      isClosing = true
      for (const request of requests) request.destroy()
    },
  }
}
