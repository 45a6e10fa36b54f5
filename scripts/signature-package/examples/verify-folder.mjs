/** Verifies all files of a folder together: `node verify-folder.mjs FOLDER ROOT.pem [CENTRE.pem]`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verify } from '@kelisim/signature'

const [folder, root, ...centres] = process.argv.slice(2)
const files = readdirSync(folder).map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
const report = await verify(files, {
  roots: [readFileSync(root)],
  certs: centres.map((path) => readFileSync(path)),
  isRevocationChecked: false,
})
console.log(report.verdict)
for (const { commonName, document, verdict } of report.signers)
  console.log(`${document}: ${commonName}, ${verdict}`)
