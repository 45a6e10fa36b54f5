/** OpenStack Swift with its S3 interface, on three devices of this machine. */
import { AwsClient } from 'aws4fetch'
import { join } from 'node:path'
import { address, configure, folderFor, run, secret, userOf, type ClusterPlace } from './place.ts'
import { answers, supervise, until, type Supervised } from './supervised.ts'

const kinds = ['account', 'container', 'object'] as const
const accessKeyId = 'kelisim:documents'

export const ports = {
  proxy: (place: ClusterPlace) => place.inner(50),
  memcache: (place: ClusterPlace) => place.inner(51),
  server: (place: ClusterPlace, i: number) => place.inner(60 + i),
}

export const devicesFolder = ({ folder }: ClusterPlace): string => join(folder, 'swift', 'devices')

export function storages(place: ClusterPlace): {
  proxy: Supervised
  servers: Supervised[]
  cache: Supervised
} {
  const user = userOf('swift')
  const folder = folderFor(join(place.folder, 'swift'), user)
  const devices = folderFor(devicesFolder(place), user)
  for (const n of [1, 2, 3]) folderFor(join(devices, `d${n}`), user)
  configure('swift/swift.conf', join(folder, 'swift.conf'), { HASH_SUFFIX: secret, HASH_PREFIX: secret })
  kinds.forEach((kind, i) => {
    const builder = `${kind}.builder`
    run('swift-ring-builder', [builder, 'create', '6', '3', '1'], folder)
    for (const n of [1, 2, 3]) {
      run(
        'swift-ring-builder',
        [builder, 'add', `r1z${n}-${address}:${ports.server(place, i)}/d${n}`, '100'],
        folder,
      )
    }
    run('swift-ring-builder', [builder, 'rebalance'], folder)
  })
  const shared = { ADDRESS: address, FOLDER: folder }
  const swift = (name: string, port: number, values: Record<string, string> = {}) =>
    supervise({
      name: `swift-${name}`,
      command: `/usr/bin/swift-${name}-server`,
      args: [
        configure(`swift/${name}-server.conf`, join(folder, `${name}-server.conf`), {
          ...shared,
          ...values,
          PORT: port,
        }),
      ],
      logs: place.logs,
      cwd: folder,
      // The program can change to this user by itself, but would then outlive this process.
      user,
      env: () => ({ PATH: '/usr/bin:/bin', HOME: folder }),
    })
  return {
    cache: supervise({
      name: 'memcached',
      command: '/usr/bin/memcached',
      args: ['-l', address, '-p', String(ports.memcache(place)), '-m', '16'],
      logs: place.logs,
      user,
    }),
    servers: kinds.map((kind, i) =>
      swift(kind, ports.server(place, i), { DEVICES: devices, MOUNT_CHECK: 'false' }),
    ),
    proxy: swift('proxy', ports.proxy(place), {
      SECRET: secret,
      MEMCACHE: `${address}:${ports.memcache(place)}`,
    }),
  }
}

export function storageSettings(
  place: ClusterPlace,
): Record<'S3_URL' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY', string> {
  return {
    S3_URL: `http://${address}:${ports.proxy(place)}/documents`,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secret,
  }
}

/** Waits until the storage serves, and makes its bucket. */
export async function untilStored(place: ClusterPlace): Promise<void> {
  await until('the storage', () => answers(`http://${address}:${ports.proxy(place)}/healthcheck`))
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey: secret,
    region: 'us-east-1',
    service: 's3',
    retries: 0,
  })
  await until('the bucket', async () => {
    const response = await client.fetch(storageSettings(place).S3_URL, { method: 'PUT' })
    await response.body?.cancel()
    return response.status === 200 || response.status === 409
  })
}
