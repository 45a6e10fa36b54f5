/** Pages that stay open: each has one stream of server-sent events. */
import type { Workplace } from './acts.ts'

export type OpenPages = {
  open: number
  /** Returns how many messages came to all of them. */
  close: () => Promise<number>
}

/** How many streams one person opens; a caller may have thirty. */
const mostOfOnePerson = 25

export async function openPages(places: readonly Workplace[], people: number): Promise<OpenPages> {
  const closing = new AbortController()
  let told = 0
  const { day } = places[0]!
  const owners = [day.cookies.author, day.cookies.approver]
  const cookies = owners.flatMap((cookie) => Array<string>(Math.min(people, mostOfOnePerson)).fill(cookie))
  const bodies = await Promise.all(cookies.map(opened))
  const reading = bodies.map(listen)

  async function opened(cookie: string, number: number): Promise<ReadableStream<Uint8Array>> {
    const { signal } = closing
    const { url } = places[number % places.length]!
    const address = `${url}/api/Notifications/${day.organizationId}/live`
    const response = await fetch(address, { headers: { cookie }, signal })
    if (!response.ok || !response.body) throw new Error(`a page could not be opened: ${response.status}`)
    return response.body
  }

  /** Counts messages; comments, which only keep the connection open, do not count. */
  async function listen(body: ReadableStream<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of body) {
        told += Buffer.from(chunk).toString().split('data:').length - 1
      }
    } catch (error) {
      if (!closing.signal.aborted) throw error
    }
  }

  return {
    open: cookies.length,
    async close() {
      closing.abort()
      await Promise.all(reading)
      return told
    },
  }
}
