/**
 * The reference cluster as processes of this machine, from Debian's packages and the files of deploy/config:
 *
 *   people ─▶ HAProxy ─▶ two products ─▶ PgBouncer ─▶ HAProxy ─▶ primary ─▶ synchronous standby   (Patroni, three etcd)
 *                              └────────────────────────────────────────▶ Swift (S3)
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeFlags } from '@kelisim/tools/node-flags.ts'
import { startStandIns } from '../start-stand-ins.ts'
import {
  databaseUrls,
  etcds,
  killPostgres,
  members,
  pooler,
  postmasterOf,
  ports as databasePorts,
  postgreses,
  untilReplicated,
} from './database.ts'
import { address, configure, newPlace, root, run, type ClusterPlace } from './place.ts'
import { devicesFolder, storages, storageSettings, untilStored } from './storage.ts'
import { answers, supervise, until, type Supervised } from './supervised.ts'

export type Cluster = {
  place: ClusterPlace
  url: string
  parts: {
    etcds: Supervised[]
    postgreses: Supervised[]
    pooler: Supervised
    proxy: Supervised
    storageProxy: Supervised
    storageServers: Supervised[]
    products: Supervised[]
  }
  env: Record<string, string | undefined>
  /**
   * The file with the clock offset of the last product, as libfaketime reads it; only if the cluster is breakable.
   */
  clockFile: string
  productUrl: (n: number) => string
  /** From its next start on, the product with this number runs from another checkout. */
  useCheckout: (n: number, checkout: string) => void
  stop: () => Promise<void>
}

export type ClusterOptions = {
  port: number
  /** The environment of the products, besides what the cluster needs. */
  env?: Record<string, string>
  products?: number
  /** The checkout from which the products run; unset: this one. */
  checkout?: string
  /**
   * The last product gets its own clock (Debian: libfaketime); databases, storage and temporary files get their own
   * file systems.
   */
  isBreakable?: boolean
  say?: (words: string) => void
}

export async function startCluster({
  port,
  env: more = {},
  products: count = 2,
  checkout = root,
  isBreakable = false,
  say = () => {},
}: ClusterOptions): Promise<Cluster> {
  const place = newPlace(port)
  const clockFile = join(place.folder, 'clock')
  writeFileSync(clockFile, '+0')
  const productPort = (n: number) => port + 3 + n
  const productUrl = (n: number) => `http://${address}:${productPort(n)}`
  const numbers = Array.from({ length: count }, (_, i) => i + 1)
  const checkouts = new Map(numbers.map((n) => [n, checkout]))
  const url = `http://localhost:${port}`
  const started: Supervised[] = []
  const start = (part: Supervised) => {
    part.start()
    started.push(part)
  }
  const stop = async () => {
    for (const part of started.toReversed())
      await part.stop(part.name.startsWith('product') ? 'SIGTERM' : 'SIGKILL')
    for (const n of members) killPostgres(place, n, 'SIGQUIT')
    // A file that a database removes meanwhile would silently end the removal of the folder.
    await until('the databases to end', async () =>
      members.every((n) => postmasterOf(place, n) === undefined),
    )
    if (isBreakable) for (const folder of disksOf(place)) unmount(folder)
    rmSync(place.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
  try {
    const etcd = etcds(place)
    if (isBreakable) for (const folder of disksOf(place)) mountSmallDisk(folder)
    const postgres = postgreses(place)
    const bouncer = pooler(place)
    const { proxy: storageProxy, servers: storageServers, cache } = storages(place)
    const env: Record<string, string | undefined> = {
      ...process.env,
      MODE: 'demo',
      LOG_LEVEL: 'warn',
      HOST: address,
      PORT: String(port),
      DATA_DIR: join(place.folder, 'data'),
      PUBLIC_URL: url,
      TRUST_PROXY: '1',
      DRAIN_SECONDS: '4',
      LOG_KEY_FILE: join(place.folder, 'log-key.pem'),
      ...databaseUrls(place),
      ...storageSettings(place),
      ...more,
    }
    const products = numbers.map((n) =>
      supervise({
        name: `product${n}`,
        command: process.execPath,
        args: () => [...nodeFlags, join(checkouts.get(n)!, 'main.ts')],
        logs: place.logs,
        env: () => ({
          ...env,
          PORT: String(productPort(n)),
          ...(isBreakable && { TMPDIR: temporaryFolder(place) }),
          ...(isBreakable && n === count && ownClock(clockFile)),
        }),
      }),
    )
    const proxy = supervise({
      name: 'haproxy',
      command: '/usr/sbin/haproxy',
      args: [
        '-db',
        '-f',
        configure('haproxy.cfg', join(place.folder, 'haproxy.cfg'), {
          ADDRESS: address,
          MAX_CONNECTIONS: 4000,
          PEOPLE_PORT: port,
          PEOPLE_TLS: '',
          PRIMARY_PORT: databasePorts.primary(place),
          METRICS_PORT: place.inner(42),
          PRODUCT_SERVERS: numbers
            .map((n) => `    server product${n} ${address}:${productPort(n)} check cookie product${n}`)
            .join('\n'),
          SLOW_PRODUCT_SERVERS: numbers
            .map((n) => `    server product${n} ${address}:${productPort(n)}`)
            .join('\n'),
          DATABASE_SERVERS: members
            .map(
              (n) =>
                `    server postgres${n} ${address}:${databasePorts.postgres(place, n)} check port ${databasePorts.patroni(place, n)}`,
            )
            .join('\n'),
        }),
      ],
      logs: place.logs,
    })

    say('etcd, PostgreSQL under Patroni, the storage …')
    for (const part of [...etcd, ...postgres, cache, ...storageServers, storageProxy]) start(part)
    await untilReplicated(place, 180)
    await untilStored(place)
    say('PgBouncer, HAProxy, the product …')
    start(bouncer)
    start(proxy)
    await startStandIns(env)
    for (const n of numbers) {
      start(products[n - 1]!)
      await until(`product ${n}`, () => answers(`${productUrl(n)}/health/ready`), 240)
    }
    await until('people’s door', () => answers(`${url}/health/ready`))
    return {
      place,
      url,
      env,
      clockFile,
      productUrl,
      useCheckout: (n, other) => void checkouts.set(n, other),
      stop,
      parts: {
        etcds: etcd,
        postgreses: postgres,
        pooler: bouncer,
        proxy,
        storageProxy,
        storageServers,
        products,
      },
    }
  } catch (error) {
    say(`the logs are in ${place.logs}`)
    for (const part of started.toReversed()) await part.stop('SIGKILL')
    for (const n of members) killPostgres(place, n, 'SIGQUIT')
    throw error
  }
}

function ownClock(file: string): Record<string, string> {
  const [library = ''] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // Timers use the monotonic clock, which a clock jump of a real machine does not change either.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

export const temporaryFolder = ({ folder }: ClusterPlace): string => join(folder, 'temporary')

/** The file systems that a fault can fill. */
function disksOf(place: ClusterPlace): string[] {
  const databases = members.map((n) => join(place.folder, `postgres${n}`))
  return [...databases, devicesFolder(place), temporaryFolder(place)]
}

function mountSmallDisk(folder: string): void {
  mkdirSync(folder, { recursive: true })
  run('mount', ['-t', 'tmpfs', '-o', 'size=1500m', 'kelisim-cluster', folder])
}

function unmount(folder: string): void {
  // A killed process may take a moment to release the folder.
  spawnSync('umount', ['-l', folder])
}
