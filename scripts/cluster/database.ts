/** Three etcd, three PostgreSQL under Patroni, PgBouncer. */
import { chownSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { address, configure, folderFor, root, secret, userOf, type ClusterPlace } from './place.ts'
import { answers, supervise, until, type Supervised } from './supervised.ts'

export const members = [1, 2, 3] as const

export const ports = {
  etcdClient: (place: ClusterPlace, n: number) => place.inner(n),
  etcdPeer: (place: ClusterPlace, n: number) => place.inner(10 + n),
  postgres: (place: ClusterPlace, n: number) => place.inner(20 + n),
  patroni: (place: ClusterPlace, n: number) => place.inner(30 + n),
  pooler: (place: ClusterPlace) => place.inner(40),
  primary: (place: ClusterPlace) => place.inner(41),
}

export function etcds(place: ClusterPlace): Supervised[] {
  const nodes = members.map((n) => `etcd${n}=http://${address}:${ports.etcdPeer(place, n)}`)
  return members.map((n) => {
    const name = `etcd${n}`
    const file = configure('etcd.yml', join(place.folder, `${name}.yml`), {
      NAME: name,
      DATA: join(place.folder, name),
      ADDRESS: address,
      PEER_PORT: ports.etcdPeer(place, n),
      CLIENT_PORT: ports.etcdClient(place, n),
      MEMBERS: nodes.join(','),
    })
    return supervise({
      name,
      command: '/usr/bin/etcd',
      args: ['--config-file', file],
      logs: place.logs,
      // Debian builds etcd also for processors on which its makers do not test it.
      env: () => ({ ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch }),
    })
  })
}

export function postgreses(place: ClusterPlace): Supervised[] {
  const user = userOf('postgres')
  const [newest] = readdirSync('/usr/lib/postgresql').toSorted((a, b) => Number(b) - Number(a))
  const etcd = members.map((n) => `${address}:${ports.etcdClient(place, n)}`)
  return members.map((n) => {
    const name = `postgres${n}`
    const folder = folderFor(join(place.folder, name), user)
    const file = configure('patroni.yml', join(place.folder, `${name}.yml`), {
      NAME: name,
      ADDRESS: address,
      REST_PORT: ports.patroni(place, n),
      ETCD: etcd.join(','),
      PASSWORD: secret,
      POST_INIT: `/bin/sh ${join(root, 'deploy', 'config', 'post-init.sh')}`,
      PORT: ports.postgres(place, n),
      DATA: join(folder, 'data'),
      BIN: `/usr/lib/postgresql/${newest}/bin`,
      PGPASS: join(folder, 'pgpass'),
      NETWORK: '127.0.0.1/32',
      SOCKETS: folder,
      SHARED_BUFFERS: '64MB',
      // A watchdog would reset this machine.
      WATCHDOG: 'off',
    })
    chownSync(file, user.uid, user.gid)
    return supervise({
      name,
      command: '/usr/bin/patroni',
      args: [file],
      logs: place.logs,
      cwd: folder,
      user,
      env: () => ({
        PATH: '/usr/bin:/bin',
        HOME: folder,
        LANG: 'C.UTF-8',
        KELISIM_PASSWORD: secret,
      }),
    })
  })
}

export function pooler(place: ClusterPlace): Supervised {
  const user = userOf('postgres')
  const users = join(place.folder, 'pgbouncer-users.txt')
  writeFileSync(users, `"kelisim" "${secret}"\n`)
  const file = configure('pgbouncer.ini', join(place.folder, 'pgbouncer.ini'), {
    DATABASE_HOST: address,
    DATABASE_PORT: ports.primary(place),
    ADDRESS: address,
    PORT: ports.pooler(place),
    USERS: users,
    LOG: '/dev/null',
  })
  return supervise({
    name: 'pgbouncer',
    command: '/usr/sbin/pgbouncer',
    args: [file],
    logs: place.logs,
    user,
  })
}

/** The process of the database itself, which Patroni starts separately from its own; undefined: it does not run. */
export function postmasterOf(place: ClusterPlace, n: number): number | undefined {
  try {
    const [pid] = readFileSync(join(place.folder, `postgres${n}`, 'data', 'postmaster.pid'), 'utf8').split(
      '\n',
    )
    process.kill(Number(pid), 0)
    return Number(pid)
  } catch {
    return undefined
  }
}

/** Kills the database with all its sessions at once. */
export function killPostgres(place: ClusterPlace, n: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  const pid = postmasterOf(place, n)
  if (pid !== undefined) process.kill(pid, signal)
}

/** The number of the member that may write now; undefined: there is none. */
export async function primaryOf(place: ClusterPlace): Promise<number | undefined> {
  for (const n of members) {
    if (await answers(`http://${address}:${ports.patroni(place, n)}/primary`).catch(() => false)) return n
  }
  return undefined
}

export async function synchronousStandby(place: ClusterPlace): Promise<number | undefined> {
  for (const n of members) {
    if (await answers(`http://${address}:${ports.patroni(place, n)}/sync`).catch(() => false)) return n
  }
  return undefined
}

/** Waits until one member can write and another one follows it synchronously. */
export async function untilReplicated(place: ClusterPlace, seconds = 120): Promise<void> {
  await until(
    'a primary with a synchronous standby',
    async () => {
      const [primary, standby] = [await primaryOf(place), await synchronousStandby(place)]
      return primary !== undefined && standby !== undefined
    },
    seconds,
  )
}

export function databaseUrls(place: ClusterPlace): { DATABASE_URL: string; DATABASE_DIRECT_URL: string } {
  const by = (port: number) => `postgres://kelisim:${secret}@${address}:${port}/kelisim`
  return { DATABASE_URL: by(ports.pooler(place)), DATABASE_DIRECT_URL: by(ports.primary(place)) }
}
