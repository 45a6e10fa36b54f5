/**
 * argon2id with the parameters OWASP recommends (19 MiB, 2 passes), stored as a PHC string so that they can grow later.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

type Cost = { memory: number; passes: number; parallelism: number }

const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32

const derive = promisify(argon2)

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await deriveTag(password, salt, cost, tagLength)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`
}

/**
 * Without a hash (unknown e-mail, no password) another hash is checked, so that the response time reveals nothing.
 */
export async function isPasswordRight(password: string, hash: string | null): Promise<boolean> {
  const { salt, tag, ...parameters } = parsePhc(hash ?? nobodysHash)
  const actual = await deriveTag(password, salt, parameters, tag.length)
  return timingSafeEqual(actual, tag) && hash !== null
}

const nobodysHash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(randomBytes(16))}$${base64(randomBytes(tagLength))}`

/** Different keyboards may type the same character as different code points (й, ё): NFKC unifies them. */
function deriveTag(password: string, salt: Buffer, { memory, passes, parallelism }: Cost, length: number) {
  const message = password.normalize('NFKC')
  return derive('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength: length })
}

function parsePhc(phc: string): Cost & { salt: Buffer; tag: Buffer } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc)
  if (!match) throw new Error('A stored password hash is not an argon2id PHC string')
  const [, memory, passes, parallelism, salt, tag] = match
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt ?? '', 'base64'),
    tag: Buffer.from(tag ?? '', 'base64'),
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
