/** Names of files in an archive: readable, valid on every file system, and unique. */
import { withoutUnseen } from '@kelisim/domain/visible-text.ts'

const longestName = 120
/** Characters that a file system forbids. */
const forbidden = /[<>:"/\\|?*]/g
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

export function safeName(name: string, otherwise: string): string {
  const { base, ending } = split(
    withoutUnseen(name).replaceAll(forbidden, '_').replaceAll(/\s+/g, ' ').trim(),
  )
  const short = base.slice(0, longestName - ending.length).toWellFormed()
  const clean = (short + ending).replace(/^[. ]+/, '').replace(/[. ]+$/, '')
  if (clean === '') return otherwise
  return reserved.test(clean) ? `_${clean}` : clean
}

/** Unique without regard to case, because some file systems ignore it. */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>()
  return (name) => {
    const { base, ending } = split(name)
    let free = name
    for (let i = 2; taken.has(keyOf(free)); i++) free = `${base} (${i})${ending}`
    taken.add(keyOf(free))
    return free
  }
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

function split(name: string): { base: string; ending: string } {
  const ending = /\.[a-z\d]{1,5}$/i.exec(name)?.[0] ?? ''
  return { base: name.slice(0, name.length - ending.length), ending }
}
