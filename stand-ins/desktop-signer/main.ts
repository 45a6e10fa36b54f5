/** `node stand-ins/desktop-signer/main.ts`: runs the desktop signer by itself. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultPort, startDesktopSigner } from './desktop-signer.ts'

const usage = `A stand-in of NCALayer, for trying out and for tests. Use no real keys with it.

node stand-ins/desktop-signer/main.ts [--port ${defaultPort}] [--keys FOLDER] [--password PASSWORD]
     [--trust FOLDER]... [--tsp URL] [--origin ORIGIN]... [--files FOLDER] [--tls-key FILE --tls-cert FILE]
     [--hands-free]

  --keys       .p12 files that the window offers; --password is the one they all share
  --trust      certificates of the centres whose keys pages get that name no chain
  --origin     pages that may ask; any without it
  --files      documents that pages may name by path
  --hands-free lets tests answer at /hands-free`

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    keys: { type: 'string' },
    password: { type: 'string' },
    trust: { type: 'string', multiple: true },
    tsp: { type: 'string' },
    origin: { type: 'string', multiple: true },
    files: { type: 'string' },
    'tls-key': { type: 'string' },
    'tls-cert': { type: 'string' },
    'hands-free': { type: 'boolean' },
    help: { type: 'boolean' },
  },
})

if (values.help) console.log(usage)
else {
  const [key, cert] = [values['tls-key'], values['tls-cert']]
  const signer = await startDesktopSigner({
    port: Number(values.port ?? defaultPort),
    roots: (values.trust ?? []).flatMap(certificatesIn),
    ...(values.keys !== undefined && { keysFolder: values.keys }),
    ...(values.password !== undefined && { sharedPassword: values.password }),
    ...(values.tsp !== undefined && { tspUrl: values.tsp }),
    ...(values.origin && { origins: values.origin }),
    ...(values.files !== undefined && { filesFolder: values.files }),
    ...(key !== undefined &&
      cert !== undefined && { tls: { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') } }),
    handsFree: values['hands-free'] ?? false,
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void signer.close())
}

function certificatesIn(folder: string): Uint8Array[] {
  return readdirSync(folder)
    .filter((name) => /\.(cer|crt|der|pem)$/i.test(name))
    .map((name) => readFileSync(join(folder, name)))
}
