/**
 * `npm run -s witness`: a witness of transparency logs that anybody can run, on a machine of their own. It needs a folder for its
 * key and for what it has seen, the keys of the logs, and nothing else.
 */
import { createPublicKey } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { logKeyIn } from '@kelisim/server/transparency/key.ts'
import { ed25519KeyIn } from '@kelisim/signature/algorithms/ed25519.ts'
import {
  isKeyName,
  keyTypes,
  readVerifierKey,
  verifierKey,
  writeVerifierKey,
} from '@kelisim/signature/transparency/note.ts'
import { keptHeads } from './witness/kept-heads.ts'
import { witnessServer } from './witness/witness-server.ts'

const usage = `npm run -s witness -- --folder DIR --name NAME --log VKEY… [--host HOST] [--port PORT]

NAME is how others know this witness, as witness.example/one: without spaces and without +. VKEY is the key of a log,
name+id+base64, as its page /log shows it. The key of the witness is made in DIR at the first start; its public half is printed.
What was seen of each log is in DIR too: whoever removes it lets the log begin anew. One program for each DIR.`

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    name: { type: 'string' },
    log: { type: 'string', multiple: true, default: [] },
    host: { type: 'string', default: 'localhost' },
    port: { type: 'string', default: '3290' },
  },
})
const { name = '', host } = values
const logs = values.log.map(readVerifierKey)
const port = Number(values.port)
const isRight = values.folder !== undefined && isKeyName(name) && logs.length > 0 && !logs.includes(null)
if (!isRight || !Number.isInteger(port) || port < 0 || port > 65535) {
  process.stderr.write(`${usage}\n`)
  process.exit(64)
}

const folder = resolve(values.folder!)
const privateKey = logKeyIn(join(folder, 'witness-key.pem'))
const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
const key = verifierKey(name, keyTypes.cosignature, new Uint8Array(ed25519KeyIn(spki)))
const server = witnessServer({
  key,
  privateKey,
  logs: logs.filter((log) => log !== null),
  heads: keptHeads(folder),
  clock: () => new Date(),
})
server.listen({ host, port }, () => {
  const address = `http://${host}:${(server.address() as AddressInfo).port}/`
  const vkey = writeVerifierKey(key)
  // A witness that was started by another program ends together with it.
  if (process.send) {
    process.send({ vkey, address })
    process.once('disconnect', () => process.exit())
  } else process.stdout.write(`${vkey} ${address}\n`)
})
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => server.close(() => process.exit()))
