/** Where the reference cluster is on this machine: its folder, its ports, its configuration files. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const address = '127.0.0.1'
export const root = join(import.meta.dirname, '..', '..')
/** The password of everything: one is enough, because the cluster listens on this machine only. */
export const secret = 'kelisim-cluster'

export type ClusterPlace = {
  folder: string
  logs: string
  /** The port for people; stand-ins are on the next three ports, the products after them. */
  port: number
  /** Every other port, far away from those for people. */
  inner: (offset: number) => number
}

/** Everything that the cluster consists of, by the command that must be there and its Debian package. */
const needed: readonly [command: string, aptName: string][] = [
  ['/usr/bin/etcd', 'etcd-server'],
  ['/usr/bin/patroni', 'patroni'],
  ['/usr/sbin/pgbouncer', 'pgbouncer'],
  ['/usr/sbin/haproxy', 'haproxy'],
  ['/usr/bin/swift-proxy-server', 'swift-proxy'],
  ['/usr/bin/swift-account-server', 'swift-account'],
  ['/usr/bin/swift-container-server', 'swift-container'],
  ['/usr/bin/swift-object-server', 'swift-object'],
  ['/usr/bin/memcached', 'memcached'],
]

export function refuseUnpreparedMachine(): void {
  const missing = needed.filter(([command]) => !existsSync(command)).map(([, aptName]) => aptName)
  const isRoot = process.getuid?.() === 0
  if (missing.length === 0 && isRoot) return
  process.stderr.write(
    missing.length > 0
      ? `The cluster needs Debian's packages: apt-get install --no-install-recommends ${missing.join(' ')}\n`
      : 'The cluster runs each part as the user of its package, so it must be started by root.\n',
  )
  process.exit(69) // EX_UNAVAILABLE
}

export function newPlace(port: number): ClusterPlace {
  const folder = mkdtempSync(join(tmpdir(), 'kelisim-cluster-'))
  chmodSync(folder, 0o755)
  const logs = join(folder, 'logs')
  mkdirSync(logs)
  return { folder, logs, port, inner: (offset) => 20_000 + port + offset }
}

/** Writes a file of deploy/config with its placeholders filled in. */
export function configure(
  file: string,
  to: string,
  values: Readonly<Record<string, string | number>>,
): string {
  const text = readFileSync(join(root, 'deploy', 'config', file), 'utf8').replaceAll(
    /\$\{(\w+)\}/g,
    (_, name: string) => {
      const value = values[name]
      if (value === undefined) throw new Error(`${file}: nothing is given for ${name}`)
      return String(value)
    },
  )
  writeFileSync(to, text)
  return to
}

export function userOf(name: string): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`))
  const [, , uid, gid] = (line ?? '').split(':').map(Number)
  if (!uid || !gid) throw new Error(`there is no user ${name}`)
  return { uid, gid }
}

export function folderFor(path: string, user: { uid: number; gid: number }): string {
  mkdirSync(path, { recursive: true })
  chownSync(path, user.uid, user.gid)
  chmodSync(path, 0o700)
  return path
}

export function run(command: string, args: readonly string[], cwd?: string): void {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}${stdout}`)
}
