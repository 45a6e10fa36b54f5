/**
 * Reads scans with programs of the machine, where they are installed: pdftoppm draws a page, tesseract reads the picture.
 * Scans are files of strangers, so both run with limits that the kernel enforces, and are killed when they take too long.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { second } from '@kelisim/domain/durations.ts'

export type Recogniser = {
  /** The text of each page, up to the limit of pages. */
  recognise: (path: string, pageCount: number, signal: AbortSignal) => Promise<string[]>
}

export type Programs = { pdftoppm: string; tesseract: string }

/** The languages that people here write in, of which the installed ones are used. */
const languages = ['rus', 'kaz', 'eng']
/** The most pages of a scan that are read: a book would take a core an hour, for little more than its beginning. */
const mostPages = 50
/** The longer side of a page, in pixels: about 250 dpi of A4, whatever size the page claims to have. */
const pixels = 3000
const deadlineMs = 60 * second
const memoryMb = 1024

/** Null: the programs are not installed here. */
export async function findRecogniser(
  programs: Programs = { pdftoppm: 'pdftoppm', tesseract: 'tesseract' },
): Promise<Recogniser | null> {
  const never = new AbortController().signal
  try {
    const listed = (await run(programs.tesseract, ['--list-langs'], null, never)).toString().split(/\s+/)
    await run(programs.pdftoppm, ['-v'], null, never)
    const installed = languages.filter((language) => listed.includes(language))
    return installed.length === 0 ? null : recogniserOf(programs, installed)
  } catch {
    return null
  }
}

function recogniserOf(programs: Programs, installed: readonly string[]): Recogniser {
  return {
    async recognise(path, pageCount, signal) {
      const pages: string[] = []
      for (let number = 1; number <= Math.min(pageCount, mostPages); number++) {
        const only = ['-f', String(number), '-l', String(number)]
        const drawn = ['-gray', '-png', '-scale-to', String(pixels), ...only, path]
        const picture = await run(programs.pdftoppm, drawn, null, signal)
        const read = ['stdin', 'stdout', '-l', installed.join('+')]
        const text = await run(programs.tesseract, read, picture, signal)
        pages.push(text.toString())
      }
      return pages
    },
  }
}

/** Runs a program and returns its output; throws if it fails or does not end in time. */
async function run(
  program: string,
  given: readonly string[],
  input: Buffer | null,
  signal: AbortSignal,
): Promise<Buffer> {
  const limits = `ulimit -d ${memoryMb * 1024}; ulimit -t ${deadlineMs / second}; ulimit -c 0; exec nice -n 19 "$0" "$@"`
  const child = spawn('/bin/sh', ['-c', limits, program, ...given], {
    // One thread is enough, because nobody waits for the result.
    env: { PATH: process.env['PATH'], OMP_THREAD_LIMIT: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(child, 'close')
  const over = new AbortController()
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  if (signal.aborted) kill()
  void setTimeout(deadlineMs, undefined, { signal: over.signal, ref: false }).then(kill, () => {})
  try {
    // A program that ends early does not read its input to the end.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    const [output] = await Promise.all([buffer(child.stdout), ended])
    const { exitCode, signalCode } = child
    if (exitCode !== 0) throw new Error(`${program} ended with ${signalCode ?? exitCode}`)
    return output
  } finally {
    signal.removeEventListener('abort', kill)
    over.abort()
  }
}
