/** What can break, how it is broken, and how it recovers. A supervisor starts parts again, as on a real machine. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryFolder, type Cluster } from '../cluster/cluster.ts'
import {
  killPostgres,
  members,
  ports,
  postmasterOf,
  primaryOf,
  synchronousStandby,
} from '../cluster/database.ts'
import { run } from '../cluster/place.ts'
import { devicesFolder, ports as storagePorts } from '../cluster/storage.ts'
import { answers, until } from '../cluster/supervised.ts'
import { frozen, slowed } from './frozen.ts'

export type Fault = {
  name: string
  /** Resolves once the fault itself is over; the cluster may still be recovering. The text says what was hit, if that varies. */
  happen: (cluster: Cluster, turn: number) => Promise<string | void>
}

/** Seconds in which everything must run again, also on a machine that has other work. */
export const recoverySeconds = 300

const pick = <T>(of: readonly T[], turn: number): T => of[turn % of.length]!

/** Packets to this port vanish, as if the cable were cut: no connection is refused, none is answered. */
async function cut(port: number, ms: number): Promise<void> {
  const rules = (['--dport', '--sport'] as const).map((side) => [
    'INPUT',
    '-i',
    'lo',
    '-p',
    'tcp',
    side,
    String(port),
    '-j',
    'DROP',
  ])
  for (const rule of rules) run('iptables', ['-I', ...rule])
  try {
    await pause(ms)
  } finally {
    for (const rule of rules) run('iptables', ['-D', ...rule])
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}

/** The number of the current primary; 1 while there is none. */
async function primary({ place }: Cluster): Promise<number> {
  return (await primaryOf(place)) ?? 1
}

export const faults: readonly Fault[] = [
  {
    name: 'kill -9 of a product',
    happen: async ({ parts }, turn) => pick(parts.products, turn).kill('SIGKILL'),
  },
  {
    name: 'kill -9 of both products',
    happen: async ({ parts }) => parts.products.forEach((one) => one.kill('SIGKILL')),
  },
  {
    name: 'kill -9 of the primary',
    happen: async (cluster) => {
      const n = await primary(cluster)
      killPostgres(cluster.place, n)
      return `postgres${n}`
    },
  },
  {
    name: 'kill -9 of the primary with its Patroni',
    happen: async (cluster) => {
      const n = await primary(cluster)
      cluster.parts.postgreses[n - 1]!.kill('SIGKILL')
      killPostgres(cluster.place, n)
      return `postgres${n}`
    },
  },
  {
    name: 'kill -9 of the synchronous standby',
    happen: async ({ place }) => killPostgres(place, (await synchronousStandby(place)) ?? 2),
  },
  { name: 'kill -9 of the pooler', happen: async ({ parts }) => parts.pooler.kill('SIGKILL') },
  { name: 'kill -9 of the proxy', happen: async ({ parts }) => parts.proxy.kill('SIGKILL') },
  {
    name: 'kill -9 of the storage’s proxy',
    happen: async ({ parts }) => parts.storageProxy.kill('SIGKILL'),
  },
  {
    name: 'kill -9 of a storage server',
    happen: async ({ parts }, turn) => pick(parts.storageServers, turn).kill('SIGKILL'),
  },
  { name: 'kill -9 of an etcd', happen: async ({ parts }, turn) => pick(parts.etcds, turn).kill('SIGKILL') },
  {
    name: 'a product frozen for 12 s',
    happen: ({ parts }, turn) => frozen(pick(parts.products, turn).pid(), 12_000),
  },
  {
    name: 'the primary frozen for 12 s',
    happen: async (cluster) => frozen(postmasterOf(cluster.place, await primary(cluster)), 12_000),
  },
  { name: 'the network to the pooler cut for 8 s', happen: ({ place }) => cut(ports.pooler(place), 8_000) },
  {
    name: 'the network to the primary cut for 15 s',
    happen: async (cluster) => cut(ports.postgres(cluster.place, await primary(cluster)), 15_000),
  },
  {
    name: 'the network to the storage cut for 8 s',
    happen: ({ env }) => cut(portOf(env['S3_URL']!), 8_000),
  },
  {
    name: 'the network to a product cut for 12 s',
    happen: ({ parts, productUrl }, turn) =>
      cut(portOf(productUrl((turn % parts.products.length) + 1)), 12_000),
  },
  {
    name: 'the network to the synchronous standby cut for 15 s',
    happen: async ({ place }) => {
      const n = (await synchronousStandby(place)) ?? 2
      await cut(ports.postgres(place, n), 15_000)
      return `postgres${n}`
    },
  },
  {
    name: 'the network to an etcd cut for 15 s',
    happen: async ({ place }, turn) => {
      const n = pick(members, turn)
      await Promise.all([cut(ports.etcdPeer(place, n), 15_000), cut(ports.etcdClient(place, n), 15_000)])
      return `etcd${n}`
    },
  },
  {
    name: 'the network to the objects of the storage cut for 8 s',
    happen: ({ place }) => cut(storagePorts.server(place, 2), 8_000),
  },
  {
    name: 'the network to the mail server cut for 15 s',
    happen: ({ env }) => cut(portOf(env['SMTP_URL']!), 15_000),
  },
  {
    name: 'the clock of a product a minute ahead for 15 s',
    happen: async ({ clockFile }) => {
      writeFileSync(clockFile, '+1m')
      await pause(15_000)
      writeFileSync(clockFile, '+0')
    },
  },
  {
    name: 'the clock of a product a minute behind for 15 s',
    happen: async ({ clockFile }) => {
      writeFileSync(clockFile, '-1m')
      await pause(15_000)
      writeFileSync(clockFile, '+0')
    },
  },
  {
    name: 'the disk of the primary full',
    happen: async (cluster) =>
      fillDisk(join(cluster.place.folder, `postgres${await primary(cluster)}`), 8_000),
  },
  {
    name: 'the disk of the storage full',
    happen: ({ place }) => fillDisk(devicesFolder(place), 8_000),
  },
  {
    name: 'the disk for temporary files full',
    happen: ({ place }) => fillDisk(temporaryFolder(place), 8_000),
  },
  {
    name: 'the disk of the primary slow for 20 s',
    happen: async (cluster) => slowed(postmasterOf(cluster.place, await primary(cluster)), 20_000),
  },
  {
    name: 'the disk of a storage server slow for 20 s',
    happen: ({ parts }, turn) => slowed(pick(parts.storageServers, turn).pid(), 20_000),
  },
  { name: 'rolling restart of the products', happen: (cluster) => rollingRestart(cluster) },
]

/** Fills a folder, which is a file system of its own, for a while. */
async function fillDisk(folder: string, ms: number): Promise<void> {
  const filler = join(folder, 'filler')
  spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M'], { stdio: 'ignore' })
  await pause(ms)
  spawnSync('rm', ['-f', filler])
}

/** Restarts the products one after another, as another version if one is passed, each ready before the next stops. */
export async function rollingRestart(
  { parts, productUrl, useCheckout }: Cluster,
  { checkout, sideBySideMs = 3_000 }: { checkout?: string; sideBySideMs?: number } = {},
): Promise<void> {
  for (const [i, product] of parts.products.entries()) {
    if (checkout !== undefined) useCheckout(i + 1, checkout)
    await product.stop('SIGTERM')
    product.start()
    await until(`product ${i + 1}`, () => answers(`${productUrl(i + 1)}/health/ready`), recoverySeconds)
    // The proxy checks every second whether the product is back.
    await pause(sideBySideMs)
  }
}

/** The unexpected log lines of the products, for the report. */
export function unforeseen({ place }: Cluster): string[] {
  return readdirSync(place.logs)
    .filter((name) => name.startsWith('product'))
    .flatMap((name) => readFileSync(join(place.logs, name), 'utf8').split('\n'))
    .filter((line) => line.includes('unforeseen error') || line.includes('stopped by an error'))
}
