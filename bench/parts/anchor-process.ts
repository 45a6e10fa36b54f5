/**
 * The other implementations that GOST is measured against, each in a process that responds with milliseconds line by
 * line.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type Anchor = {
  /** The milliseconds of a task. */
  ask: (order: string) => Promise<number>
  stop: () => void
}

const anchors = join(import.meta.dirname, '..', 'anchors')

/** Null where the engine is not available on this machine. */
export function startOpenSslEngine(): Anchor | null {
  install(
    ['openssl', 'libengine-gost-openssl', 'libssl-dev', 'gcc', 'libc6-dev'],
    '/usr/include/openssl/engine.h',
  )
  const folder = mkdtempSync(join(tmpdir(), 'kelisim-anchor-'))
  const program = join(folder, 'openssl-gost')
  const source = join(anchors, 'openssl-gost.c')
  // the engine interface is deprecated in OpenSSL 3, and there is no other for GOST
  const built = spawnSync('cc', ['-O2', '-Wno-deprecated-declarations', source, '-o', program, '-lcrypto'])
  const remove = () => rmSync(folder, { recursive: true, force: true })
  if (built.status === 0 && spawnSync(program, { input: 'digest md_gost12_512 1\n' }).status === 0) {
    return startAnchor(program, [], remove)
  }
  remove()
  return null
}

/** Null where Java or the library is not available on this machine. */
export function startBouncyCastle(): Anchor | null {
  const jar = '/usr/share/java/bcprov.jar'
  install(['libbcprov-java', 'default-jdk-headless'], jar)
  const args = ['-cp', jar, join(anchors, 'BouncyGost.java')]
  const works = existsSync(jar) && spawnSync('java', args, { input: 'digest streebog 1\n' }).status === 0
  return works ? startAnchor('java', args, () => {}) : null
}

function startAnchor(program: string, args: string[], afterwards: () => void): Anchor {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async ask(order) {
      child.stdin.write(`${order}\n`)
      const answer = await answers.next()
      if (answer.done) throw new Error(`${program} ended at “${order}”`)
      return Number(answer.value)
    },
    stop() {
      child.kill()
      afterwards()
    },
  }
}

function install(packages: string[], file: string): void {
  if (existsSync(file) && existsSync('/usr/bin/openssl')) return
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-q'], { env })
  spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], { env })
}
