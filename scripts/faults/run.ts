/**
 * `npm run -s faults -- 50`: a signing day on the reference cluster, into which that many faults fall, one after the other. Then
 * what callers were told is compared with what is there. A second argument chooses faults by words of their names.
 * Ctrl+C ends the faults, not the comparison.
 */
import { arch, cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildSite } from '../build/build.ts'
import { startCluster } from '../cluster/cluster.ts'
import { untilReplicated } from '../cluster/database.ts'
import { refuseUnpreparedMachine, root } from '../cluster/place.ts'
import { answers, until } from '../cluster/supervised.ts'
import { checkDay, isGoodDay } from './check.ts'
import { beginDay } from './day.ts'
import { faults, recoverySeconds, unforeseen } from './faults.ts'
import { openJournal } from './journal.ts'
import { startMailSink } from './mail-sink.ts'
import { startProber } from './probe.ts'

const count = Number(process.argv[2] ?? 50)
const chosen = faults.filter(({ name }) => name.includes(process.argv[3] ?? ''))
const port = Number(process.env['CLUSTER_PORT'] ?? 3400)
const say = (words: string) => process.stdout.write(`${words}\n`)

const ending = new AbortController()
const asked = ending.signal
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())

refuseUnpreparedMachine()
buildSite()
const sink = await startMailSink()
const results = join(root, 'test-results')
mkdirSync(results, { recursive: true })
const journal = openJournal(join(results, `faults-${Date.now()}.jsonl`))
const cluster = await startCluster({
  port,
  say,
  isBreakable: true,
  env: { SMTP_URL: sink.url, CALLS_PER_MINUTE: '1000000' },
})
let code = 1
try {
  const day = await beginDay({
    url: cluster.url,
    connectionString: cluster.env['DATABASE_DIRECT_URL']!,
    dataDir: cluster.env['DATA_DIR']!,
    journal,
    people: 3,
  })
  const prober = startProber(cluster.url, day.cookie)
  await pause(5_000)
  const away: { name: string; ms: number }[] = []
  for (let turn = 0; turn < count && !asked.aborted; turn++) {
    const fault = chosen[turn % chosen.length]!
    const began = Date.now()
    journal.note({ fault: fault.name })
    const hit = await fault.happen(cluster, Math.floor(turn / chosen.length))
    const broken = await untilWhole().catch(String)
    const ms = prober.awayAfter(began)
    const failed = Map.groupBy(prober.failuresAfter(began), String)
    const reasons = [...failed].map(([reason, some]) => `${some.length} × ${reason}`).join(', ')
    away.push({ name: fault.name, ms })
    journal.note({ over: fault.name, awayMs: ms, failed: reasons })
    say(
      `${turn + 1} ${fault.name} ${hit ?? ''}: away ${(ms / 1000).toFixed(1)} s; ${reasons || 'no probe failed'}`,
    )
    if (broken) {
      say(`not whole again: ${broken}`)
      break
    }
  }
  await day.end()
  await prober.stop()
  const verdict = await checkDay(cluster, day, journal, sink.taken)
  report(away, verdict)
  const isWhole = away.length === count && unforeseen(cluster).length === 0 && verdict.refused.length === 0
  code = isGoodDay(verdict) && isWhole ? 0 : 1
} catch (error) {
  say(`${String(error)}; the logs are in ${results}/logs`)
} finally {
  cpSync(cluster.place.logs, join(results, 'logs'), { recursive: true, force: true })
  await cluster.stop()
  sink.close()
}
process.exit(code)

/** Waits until everything runs again, and then four seconds for the probe. */
async function untilWhole(): Promise<undefined> {
  await untilReplicated(cluster.place, recoverySeconds)
  for (const n of [1, 2])
    await until(`product ${n}`, () => answers(`${cluster.productUrl(n)}/health/ready`), recoverySeconds)
  await until('people’s door', () => answers(`${cluster.url}/health/ready`), recoverySeconds)
  await pause(4_000)
}

function report(
  away: readonly { name: string; ms: number }[],
  verdict: Awaited<ReturnType<typeof checkDay>>,
): void {
  const sorted = away.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const seconds = (ms: number | undefined) => `${((ms ?? 0) / 1000).toFixed(1)} s`
  say(`\n${away.length} faults on ${cpus().length} cores (${arch()})`)
  say(
    `time to service: median ${seconds(sorted[Math.floor(sorted.length / 2)])}, worst ${seconds(sorted.at(-1))}`,
  )
  for (const [name, some] of Map.groupBy(away, (one) => one.name)) {
    const of = some.map(({ ms }) => ms).toSorted((a, b) => a - b)
    say(`| ${name} | ${some.length} | ${seconds(of[Math.floor(of.length / 2)])} | ${seconds(of.at(-1))} |`)
  }
  say(JSON.stringify({ ...verdict, unforeseen: unforeseen(cluster).length }, null, 2))
  for (const line of unforeseen(cluster).slice(0, 5)) say(line.slice(0, 1500))
}
