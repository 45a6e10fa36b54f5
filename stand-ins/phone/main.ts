/** `node stand-ins/phone/main.ts`: runs the phone by itself. */
import { parseArgs } from 'node:util'
import { defaultPort, startPhone } from './phone.ts'

const usage = `A stand-in of eGov Mobile, for trying out and for tests. Use no real keys with it.

node stand-ins/phone/main.ts --origin ORIGIN --tsp URL --keys FOLDER --password PASSWORD [--port ${defaultPort}]

  --origin     of the product whose codes it opens
  --tsp        the timestamp service
  --keys       .p12 files to choose from; --password is the one they all share`

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    origin: { type: 'string' },
    tsp: { type: 'string' },
    keys: { type: 'string' },
    password: { type: 'string' },
    help: { type: 'boolean' },
  },
})

const { origin, tsp, keys, password } = values
if (origin === undefined || tsp === undefined || keys === undefined || password === undefined) {
  console.log(usage)
  process.exitCode = values.help ? 0 : 2
} else {
  const port = Number(values.port ?? defaultPort)
  const phone = await startPhone({
    port,
    origin,
    tspUrl: tsp,
    keysFolder: keys,
    sharedPassword: password,
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void phone.close())
}
