/**
 * A signing day during which the processes of the reference cluster are upgraded to this version, downgraded, and
 * upgraded again.
 */
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildSite } from '../build/build.ts'
import { startCluster } from '../cluster/cluster.ts'
import { refuseUnpreparedMachine } from '../cluster/place.ts'
import { checkDay, isGoodDay } from '../faults/check.ts'
import { beginDay } from '../faults/day.ts'
import { rollingRestart } from '../faults/faults.ts'
import { openJournal } from '../faults/journal.ts'
import { startMailSink } from '../faults/mail-sink.ts'
import { startProber } from '../faults/probe.ts'
import { root, runIn, type EarlierVersion } from './earlier-version.ts'

/** How long the versions work beside each other, and alone. */
const sideBySideMs = 20_000
const say = (words: string) => process.stdout.write(`${words}\n`)

export async function upgradeWhileWorking({ folder, commit }: EarlierVersion): Promise<boolean> {
  refuseUnpreparedMachine()
  buildSite()
  runIn(folder, 'npm', ['run', '-s', 'build'])
  const results = join(root, 'test-results')
  mkdirSync(results, { recursive: true })
  const sink = await startMailSink()
  const journal = openJournal(join(results, `upgrade-${Date.now()}.jsonl`))
  const cluster = await startCluster({
    port: Number(process.env['CLUSTER_PORT'] ?? 3400),
    say,
    env: { SMTP_URL: sink.url, CALLS_PER_MINUTE: '1000000' },
    checkout: folder,
  })
  try {
    const day = await beginDay({
      url: cluster.url,
      connectionString: cluster.env['DATABASE_DIRECT_URL']!,
      dataDir: cluster.env['DATA_DIR']!,
      journal,
      people: 3,
    })
    const prober = startProber(cluster.url, day.cookie)
    await pause(sideBySideMs)
    let failedCalls = 0
    for (const [name, checkout] of [
      [`to this version`, root],
      [`back to ${commit.slice(0, 8)}`, folder],
      [`to this version again`, root],
    ] as const) {
      const began = Date.now()
      await rollingRestart(cluster, { checkout, sideBySideMs })
      await pause(sideBySideMs)
      const failures = prober.failuresAfter(began)
      failedCalls += failures.length
      say(
        `${name}: ${failures.length} of ${prober.countAfter(began)} probes failed ${[...new Set(failures)].join(', ')}`,
      )
    }
    await day.end()
    await prober.stop()
    const verdict = await checkDay(cluster, day, journal, sink.taken)
    say(JSON.stringify(verdict, null, 2))
    return failedCalls === 0 && verdict.refused.length === 0 && isGoodDay(verdict)
  } finally {
    cpSync(cluster.place.logs, join(results, 'logs'), { recursive: true, force: true })
    await cluster.stop()
    sink.close()
  }
}
