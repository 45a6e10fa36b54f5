#!/usr/bin/env node
/** `kelisim`: sends documents and takes back what was signed, from the command line. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { KelisimError, openClient, type Kelisim } from '../client.ts'
import { serveAssistants } from '../mcp/serve.ts'
import { readArguments, usage, UsageError, type Arguments } from './arguments.ts'
import { freeFileName, safeFileName } from './saved-name.ts'
import { sendFile } from './sending.ts'
import { forgetSettings, keepSettings, readSettings } from './settings.ts'
import { lookAt } from './watching.ts'

const lookEvery = 5000
const entriesAtOnce = 100

try {
  process.exitCode = await run(readArguments(process.argv.slice(2)))
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${usage}`)
    process.exitCode = 64
  } else if (error instanceof KelisimError) {
    console.error(`${error.message} (${error.alias})`)
    process.exitCode = 1
  } else throw error
}

async function run(given: Arguments): Promise<number> {
  switch (given.command) {
    case 'login':
      return logIn(given.address)
    case 'logout':
      forgetSettings(process.env)
      return 0
    case 'test':
      return print(await connected().connection())
    case 'send':
      return print(await sendFile(connected(), { ...given, occasion: '' }))
    case 'status':
      return print(...(await connected().statuses(given.ids)).items)
    case 'wait': {
      const request = await connected().waitForEnd(given.id)
      print(request)
      return request.status === 'Completed' ? 0 : 2
    }
    case 'download': {
      const { name, bytes } = await connected().download(given.id, given.kind)
      const file = given.out ?? freeFileName(safeFileName(name, `${given.id}.${given.kind}`))
      writeFileSync(file, bytes)
      return print({ file, size: bytes.length })
    }
    case 'journals':
      return print(...(await connected().journals()).items)
    case 'kinds':
      return print(...(await connected().documentKinds()).items)
    case 'register':
      return print(await connected().register({ requestId: given.id, journalId: given.journalId }))
    case 'entries':
      return printEntries(connected(), given)
    case 'watch':
      return watch(connected(), given)
    case 'mcp':
      await serveAssistants(connected())
      return 0
  }
}

async function printEntries(
  kelisim: Kelisim,
  { journalId, year }: Extract<Arguments, { command: 'entries' }>,
): Promise<number> {
  for (let skip = 0; ; skip += entriesAtOnce) {
    const page = { journalId, skip, take: entriesAtOnce, ...(year !== null && { year }) }
    const { items } = await kelisim.journalEntries(page)
    print(...items)
    if (items.length < entriesAtOnce) return 0
  }
}

function connected(): Kelisim {
  const settings = readSettings(process.env)
  if (!settings)
    throw new UsageError('Nobody is signed in: kelisim login, or KELISIM_ADDRESS and KELISIM_TOKEN')
  return openClient(settings)
}

/** Saves the token only after a call with it has succeeded. */
async function logIn(address: string): Promise<number> {
  const token = process.stdin.isTTY ? await askedFor('Token: ') : readFileSync(0, 'utf8').trim()
  const { organization, actsAs } = await openClient({ address, token }).connection()
  const file = keepSettings({ address, token }, process.env)
  return print({ organization: organization.name, actsAs: actsAs.fullName, kept: file })
}

async function askedFor(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await lines.question(question)).trim()
  } finally {
    lines.close()
  }
}

async function watch(
  kelisim: Kelisim,
  { folder, to }: Extract<Arguments, { command: 'watch' }>,
): Promise<number> {
  for (;;) {
    try {
      for await (const event of lookAt(folder, to, kelisim, new Date())) print(event)
    } catch (error) {
      if (!(error instanceof KelisimError) || !error.isTemporary) throw error
      console.error(`${error.message} (${error.alias})`)
    }
    await pause(lookEvery)
  }
}

function print(...lines: readonly object[]): number {
  for (const line of lines) console.log(JSON.stringify(line))
  return 0
}
