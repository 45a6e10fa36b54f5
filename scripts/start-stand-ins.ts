/**
 * Starts the certification centre, the desktop signer, the phone and the witnesses of the demo. The product learns
 * their addresses from its configuration, as those of the real ones. With TRUST_ROOTS_DIR set, none of them is
 * started.
 */
import { fork } from 'node:child_process'
import { join, resolve } from 'node:path'
import { demoKeys, keyPassword } from '@kelisim/demo/keys.ts'
import { noteKeyOf, originAt, type Log } from '@kelisim/server/transparency/checkpoints.ts'
import { logKeyIn } from '@kelisim/server/transparency/key.ts'
import { writeVerifierKey } from '@kelisim/signature/transparency/note.ts'
import type { NationAddresses, NationSetup } from '@kelisim/stand-ins/nation.ts'

/** The made-up firm that runs the demo. */
const operator = {
  OPERATOR_NAME: 'ТОО «Келісім Демо»',
  OPERATOR_BIN: '260940001111',
  OPERATOR_ADDRESS: 'Алматы, Казахстан',
  OPERATOR_PHONES: '+7 727 000 00 00',
  OPERATOR_SOCIAL_LINKS:
    'https://t.me/kelisim_kz,https://www.instagram.com/kelisim.kz,https://www.youtube.com/@kelisim_kz',
  OPERATOR_COMPANIES: '10000',
}

type StandInsReply = { addresses: NationAddresses } | { failure: string }

export async function startStandIns(env: Record<string, string | undefined>): Promise<void> {
  if (env['MODE'] === 'production' || env['TRUST_ROOTS_DIR']) return
  const port = Number(env['PORT'] ?? 3000)
  const publicUrl = new URL(env['PUBLIC_URL'] ?? `http://localhost:${port}`)
  const setup: NationSetup = {
    folder: resolve(env['DATA_DIR'] ?? './data'),
    ports: { centre: port + 1, desktopSigner: port + 2, phone: port + 3 },
    origin: publicUrl.origin,
    keys: demoKeys,
    password: keyPassword,
    handsFree: env['STAND_INS_HANDS_FREE'] === '1',
  }
  const addresses = await started(setup)
  const { host } = new URL(addresses.centreUrl)
  env['TRUST_ROOTS_DIR'] = addresses.rootsFolder
  env['PKI_PRIVATE_HOSTS'] ||= host
  env['PKI_OCSP_URL'] ||= `${addresses.centreUrl.replace(/\/$/, '')}/ocsp`
  env['PKI_TSP_URL'] ||= addresses.tspUrl
  env['SIGNER_URL'] ||= addresses.signerUrl
  env['SIGNER_WINDOW_URL'] ||= addresses.signerWindowUrl
  env['PHONE_URL'] ||= addresses.phoneUrl
  for (const [name, value] of Object.entries(operator)) env[name] ||= value
  env['LOG_WITNESSES'] ||= await startWitnesses(setup.folder, {
    key: logKeyIn(env['LOG_KEY_FILE'] || join(setup.folder, 'log-key.pem')),
    origin: env['LOG_ORIGIN'] || originAt(publicUrl),
  })
}

/** Starts two witnesses, each with its own key and memory, as others would run them elsewhere. */
async function startWitnesses(folder: string, log: Log): Promise<string> {
  const vkey = writeVerifierKey(noteKeyOf(log))
  const witnesses = ['alatau', 'esil'].map(
    (name) =>
      new Promise<string>((done, fail) => {
        const args = ['--folder', join(folder, 'witnesses', name), '--name', `witness.demo/${name}`]
        const child = fork(join(import.meta.dirname, 'witness.ts'), [...args, '--port', '0', '--log', vkey], {
          stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        })
        child.once('exit', (code) => fail(new Error(`The witness ${name} ended with ${code}`)))
        child.once('message', (said: { vkey: string; address: string }) => {
          child.unref()
          child.channel?.unref()
          done(`${said.vkey} ${said.address}`)
        })
      }),
  )
  return (await Promise.all(witnesses)).join(',')
}

function started(setup: NationSetup): Promise<NationAddresses> {
  const child = fork(join(import.meta.dirname, '..', 'stand-ins', 'main.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return new Promise((done, fail) => {
    child.once('exit', (code) => fail(new Error(`The stand-ins ended with ${code}`)))
    child.once('message', (answer: StandInsReply) => {
      if ('failure' in answer) {
        fail(new Error(`The stand-ins could not start: ${answer.failure}`))
        return
      }
      // the witness ends when its connection to this process does
      child.unref()
      child.channel?.unref()
      done(answer.addresses)
    })
    child.send(setup)
  })
}
