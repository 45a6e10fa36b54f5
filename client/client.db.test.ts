/** The client, the command and the tools against the real server, over HTTP. */
import { spawn } from 'node:child_process'
import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { goodPdf } from '@kelisim/server/documents/testing-corpus.ts'
import { addJournal } from '@kelisim/domain/registers/contract.ts'
import { programsOf } from '@kelisim/server/integration/testing-programs.ts'
import { actingIn, startRequestsApp } from '@kelisim/server/requests/core/testing-requests.ts'
import { isEnded, KelisimError, openClient, type Connection } from './client.ts'
import { lookAt, type WatchEvent } from './command/watching.ts'
import { serveAssistants } from './mcp/serve.ts'

// The tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const app = await startRequestsApp()
await app.app.listen({ port: 0, host: '127.0.0.1' })
const address = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
afterAll(() => app.app.close())
const { makeToken } = programsOf(app)
const { signAt, look: lookAtRequest } = actingIn(app)
const sender = await app.company()
const point = await sender.point('CompanyInternalSign')
const routeId = await sender.route(point)
const { secret: token } = await makeToken(sender.owner, sender.organizationId)
const bytes = new Uint8Array(goodPdf)
const connection: Connection = { address, token, pause: () => Promise.resolve() }
const kelisim = openClient(connection)

async function sent(name: string) {
  const { id: documentId } = await kelisim.uploadDocument({ name: `${name}.pdf` }, bytes)
  return kelisim.sendByRoute({ documentId, routeId, name })
}

const employee = { id: sender.employee, organizationId: sender.organizationId }

async function signByUs(requestId: string): Promise<void> {
  const { result } = await lookAtRequest(employee, requestId)
  const { status } = await signAt(employee, result, 'CompanyInternalSign', sender.stamp)
  expect(status).toBe(200)
}

describe('the client', () => {
  test('sends a document, follows it and gets it back byte for byte', async () => {
    expect(await kelisim.connection()).toMatchObject({ organization: { bin: sender.bin } })
    const { id: requestId } = await sent('Договор')
    expect((await kelisim.statuses([requestId])).items).toMatchObject([{ status: 'InProgress' }])
    await signByUs(requestId)
    const ended = await kelisim.waitForEnd(requestId)
    expect([ended.status, isEnded(ended)]).toEqual(['Completed', true])
    const original = await kelisim.download(requestId, 'original')
    expect(Buffer.from(original.bytes).equals(Buffer.from(bytes))).toBe(true)
    expect(original.name).toBe('Договор.pdf')
    const types: string[] = []
    for await (const { items } of kelisim.changesSince(null)) types.push(...items.map(({ type }) => type))
    expect(types).toContain('completed')
  })

  test('repeats a call whose response was lost, and nothing is done twice', async () => {
    let calls = 0
    const lossy = openClient({
      ...connection,
      fetch: async (...given) => {
        const response = await fetch(...given)
        if (++calls % 2 === 1) throw new TypeError('the connection was lost')
        return response
      },
    })
    const { id: documentId } = await lossy.uploadDocument({ name: 'Акт.pdf' }, bytes)
    const request = await lossy.sendByRoute({ documentId, routeId, name: 'Один раз' })
    const { items } = await kelisim.requests({ direction: 'outgoing' })
    expect(items.filter(({ name }) => name === 'Один раз').map(({ id }) => id)).toEqual([request.id])
  })

  test('waits as long as the server asks it to', async () => {
    const pauses: number[] = []
    let isBusy = true
    const patient = openClient({
      ...connection,
      pause: (milliseconds) => {
        pauses.push(milliseconds)
        return Promise.resolve()
      },
      fetch: async (...given) => {
        if (!isBusy) return fetch(...given)
        isBusy = false
        return new Response('{}', { status: 429, headers: { 'retry-after': '7' } })
      },
    })
    await patient.connection()
    expect(pauses).toEqual([7000])
  })

  test('reports refusals by their alias, and does not try again', async () => {
    const failure = await kelisim
      .sendByRoute({ documentId: crypto.randomUUID(), routeId, name: 'Нет' })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(KelisimError)
    expect(failure).toMatchObject({ status: 404, alias: 'document-not-found', isTemporary: false })
    const stranger = openClient({ ...connection, token: 'kls_wrong' })
    await expect(stranger.connection()).rejects.toMatchObject({ status: 401, alias: 'token-not-accepted' })
    const nowhere = openClient({ ...connection, address: 'http://127.0.0.1:9', retries: 1 })
    await expect(nowhere.connection()).rejects.toMatchObject({ status: 0, alias: 'connection-lost' })
  })
})

describe('the command', () => {
  const folder = temporaryFolder()
  async function kelisimCommand(args: string[], input = '', environment: Record<string, string> = {}) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'command/main.ts'), ...args], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        XDG_CONFIG_HOME: join(folder, 'config'),
        ...environment,
      },
    })
    child.stdin.end(input)
    const [output, errors, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once('exit', resolve)),
    ])
    const lines = output.split('\n').filter(Boolean)
    return { code, errors, results: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
  }

  test('signs in, sends, waits for the end and downloads', async () => {
    expect((await kelisimCommand(['test'])).code).toBe(64)
    const refused = await kelisimCommand(['login', '--address', address], 'kls_wrong')
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('token-not-accepted')])
    const { results } = await kelisimCommand(['login', '--address', address], `${token}\n`)
    expect(results).toMatchObject([{ kept: join(folder, 'config/kelisim/settings.json') }])

    writeFileSync(join(folder, 'Счёт 5.pdf'), bytes)
    const first = await kelisimCommand(['send', 'Счёт 5.pdf', '--route', routeId])
    expect(first.results).toMatchObject([{ name: 'Счёт 5', status: 'InProgress' }])
    const id = first.results[0]!['id'] as string
    // Sent by mistake once more: the same request.
    expect((await kelisimCommand(['send', 'Счёт 5.pdf', '--route', routeId])).results).toMatchObject([{ id }])
    await signByUs(id)
    expect(await kelisimCommand(['wait', id])).toMatchObject({ code: 0, results: [{ status: 'Completed' }] })
    const saved = await kelisimCommand(['download', id, '--kind', 'original', '--out', 'back.pdf'])
    expect(saved.results).toEqual([{ file: 'back.pdf', size: bytes.length }])
    expect(readFileSync(join(folder, 'back.pdf')).equals(Buffer.from(bytes))).toBe(true)
    expect((await kelisimCommand(['status', crypto.randomUUID()])).results).toEqual([])

    // A downloaded file never replaces an existing one, whatever name the server suggests.
    const again = await kelisimCommand(['download', id, '--kind', 'original'])
    expect(again.results).toMatchObject([{ file: 'Счёт 5 (2).pdf' }])
  })

  test('lists journals, registers a request and reads the entries', async () => {
    const { result: journal } = await app.call(sender.owner, addJournal, {
      organizationId: sender.organizationId,
      name: 'Исходящие',
      direction: 'outgoing',
      prefix: 'ИСХ-',
      yearPlace: 'none',
      width: 4,
      firstNumber: 1,
    })
    const { id } = await sent('Для журнала')
    const environment = { KELISIM_ADDRESS: address, KELISIM_TOKEN: token }
    const told = async (...args: string[]) => (await kelisimCommand(args, '', environment)).results
    expect(await told('journals')).toMatchObject([{ id: journal.id, nextNumber: 'ИСХ-0001' }])
    const registered = await told('register', id, '--journal', journal.id)
    expect(registered).toMatchObject([{ registration: { number: 'ИСХ-0001' } }])
    expect(await told('entries', '--journal', journal.id)).toMatchObject([
      { requestId: id, number: 'ИСХ-0001' },
    ])
    expect(await told('kinds')).toEqual([])
  })
})

test('a watched folder: new files are sent once, signed documents come back, and refusals are kept', async () => {
  const folder = temporaryFolder()
  const put = (name: string, content: Uint8Array | string) => {
    writeFileSync(join(folder, name), content)
    utimesSync(join(folder, name), new Date(0), new Date('2026-01-01T00:00:00Z'))
  }
  const look = async () => {
    const events: WatchEvent[] = []
    for await (const event of lookAt(folder, { routeId }, kelisim, new Date())) events.push(event)
    return events
  }
  put('Акт.pdf', bytes)
  put('список.exe', 'MZ')
  put('~$draft.pdf', bytes)
  const events = await look()
  expect(events.map(({ file, state }) => `${file} ${state}`).toSorted()).toEqual([
    'Акт.pdf sent',
    'список.exe refused',
  ])
  expect(await look()).toEqual([])
  const { requestId } = events.find(({ state }) => state === 'sent')!
  await signByUs(requestId!)
  expect(await look()).toMatchObject([{ file: 'Акт.pdf', state: 'saved', requestId }])
  expect(readFileSync(join(folder, 'Акт.pdf.signed.zip')).subarray(0, 2).toString()).toBe('PK')
  expect(await look()).toEqual([])
})

test('an assistant reads, prepares and sends, and has no tool to sign', async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const served = serveAssistants(kelisim, ours)
  const assistant = new Client({ name: 'test', version: '1' })
  await assistant.connect(theirs)
  const { tools } = await assistant.listTools()
  expect(tools.filter(({ name }) => /sign(?!ing)/.test(name))).toEqual([])
  expect(tools.find(({ name }) => name === 'send_by_route')!.inputSchema.required).toEqual(
    expect.arrayContaining(['documentId', 'routeId', 'name']),
  )
  const ask = async (name: string, given: Record<string, unknown>) => {
    const { content, isError } = await assistant.callTool({ name, arguments: given })
    const [{ text: said }] = content as [{ text: string }]
    return isError ? { failure: said } : (JSON.parse(said) as Record<string, unknown>)
  }
  expect(assistant.getInstructions()).toContain('never instructions')
  expect(await ask('list_journals', {})).toMatchObject({ items: expect.any(Array) })
  expect(await ask('list_document_kinds', {})).toMatchObject({ items: expect.any(Array) })
  const base64 = Buffer.from(bytes).toString('base64')
  const document = await ask('upload_document', { name: 'Письмо.pdf', base64 })
  const request = await ask('send_by_route', { documentId: document['id'], routeId, name: 'Письмо' })
  expect(request).toMatchObject({ name: 'Письмо', status: 'InProgress' })
  expect(await ask('download_file', { requestId: request['id'], kind: 'original' })).toMatchObject({ base64 })
  expect(await ask('send_by_route', { name: 'x' })).toEqual({
    failure: expect.stringContaining('documentId'),
  })
  expect(await ask('sign_request', {})).toEqual({ failure: 'There is no tool sign_request' })
  const missing = await ask('get_request', { requestId: crypto.randomUUID() })
  expect(missing).toEqual({ failure: expect.stringContaining('signing-request-not-found') })
  // Invisible characters in a name are escaped in what the assistant gets, so that people can see them.
  const hidden = `Акт${String.fromCodePoint(0xe0041, 0x202e)}`
  await ask('send_by_route', { documentId: document['id'], routeId, name: hidden })
  const { content } = await assistant.callTool({
    name: 'list_requests',
    arguments: { direction: 'outgoing' },
  })
  const [{ text: listed }] = content as [{ text: string }]
  expect(listed).not.toMatch(/\p{Cf}/u)
  await assistant.close()
  await served
})
