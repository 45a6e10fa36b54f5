/**
 * The auditor rebuilds the whole log from the database and reports the differences: any row that was changed, removed,
 * inserted or moved shows up here.
 */
import { createPublicKey, type KeyObject } from 'node:crypto'
import type { Db } from '@kelisim/db/db.ts'
import { growingTree, type TreeNode } from '@kelisim/signature/transparency/growing-tree.ts'
import { emptyRoot, isIncluded } from '@kelisim/signature/transparency/merkle.ts'
import { isHeadSigned } from './heads.ts'
import { leafOf } from './log.ts'
import {
  countRows,
  findEarlierEntries,
  findEarlierLogs,
  findEdge,
  findEventsNotLogged,
  findHeads,
  findLoggedBetween,
  sizeOfTree,
  type SignedHead,
} from './queries.ts'
import { readNodes } from './tree.ts'

export type LogFault =
  | { fault: 'entry-missing'; index: number }
  | { fault: 'event-changed' | 'event-out-of-order'; index: number; requestId: string; number: number }
  | { fault: 'event-missing'; index: number; requestId: string; number: number }
  | { fault: 'event-not-logged'; requestId: string; number: number }
  | { fault: 'node-changed'; level: number; index: number }
  | { fault: 'head-not-signed' | 'head-of-another-tree' | 'head-beyond-tree'; size: number }
  /** Somebody else remembers a different tree, or a larger one. */
  | { fault: 'rewritten' | 'set-back'; size: number; by: string }
  | { fault: 'size-wrong'; size: number; entries: number }
  | { fault: 'edge-wrong'; size: number }
  | { fault: 'nodes-wrong'; nodes: number; expected: number }
  /** Events that came from another installation differ from those in its log. */
  | { fault: 'earlier-head-not-signed'; origin: string; size: number }
  | { fault: 'earlier-event-changed'; origin: string; requestId: string; number: number }

/** A head that somebody else remembers: a witness, an earlier run of the auditor, or the holder of a bundle. */
export type KnownHead = { by: string; size: number; root: Uint8Array }

const batch = 1000

export async function auditLog(
  db: Db,
  publicKey: KeyObject,
  { known = [] }: { known?: readonly KnownHead[] } = {},
): Promise<{ size: number; heads: number; faults: LogFault[] }> {
  const faults: LogFault[] = []
  const size = await sizeOfTree(db)
  const heads = await findHeads(db)
  const toCompare = [...heads]
  const others = known.toSorted((one, other) => one.size - other.size)
  const tree = growingTree()
  compareHeads(0)
  const lastNumber = new Map<string, number>()
  for (let from = 0; from < size; from += batch) {
    const made: TreeNode[] = []
    for (const { index, leaf, entry, event } of await readBatch(db, from, Math.min(from + batch, size))) {
      if (!entry) faults.push({ fault: 'entry-missing', index })
      else {
        const { requestId, number } = entry
        if (!event) faults.push({ fault: 'event-missing', index, requestId, number })
        else if (!leaf?.equals(leafOf(event))) {
          faults.push({ fault: 'event-changed', index, requestId, number })
        }
        if ((lastNumber.get(requestId) ?? 0) >= number) {
          faults.push({ fault: 'event-out-of-order', index, requestId, number })
        }
        lastNumber.set(requestId, number)
      }
      if (!leaf) faults.push({ fault: 'node-changed', level: 0, index })
      made.push(...tree.add(leaf ?? emptyRoot()))
      compareHeads(index + 1)
    }
    faults.push(...(await compareNodes(db, made)))
  }
  const entries = await countRows(db, 'logEntries')
  if (entries !== size) faults.push({ fault: 'size-wrong', size, entries })
  for (const { size: beyond, by } of others) faults.push({ fault: 'set-back', size: beyond, by })
  for (const head of toCompare) faults.push({ fault: 'head-beyond-tree', size: head.size })
  for (const head of heads) {
    if (!isHeadSigned(head, publicKey)) faults.push({ fault: 'head-not-signed', size: head.size })
  }
  if (!(await findEdge(db)).equals(Buffer.concat(tree.edge()))) faults.push({ fault: 'edge-wrong', size })
  const nodes = await countRows(db, 'logNodes')
  if (nodes !== tree.total()) faults.push({ fault: 'nodes-wrong', nodes, expected: tree.total() })
  faults.push(...(await findUnlogged(db)), ...(await auditEarlier(db)))
  return { size, heads: heads.length, faults }

  function compareHeads(grown: number): void {
    while (toCompare[0]?.size === grown) {
      const head: SignedHead = toCompare.shift()!
      if (!head.root.equals(tree.root())) faults.push({ fault: 'head-of-another-tree', size: head.size })
    }
    while (others[0]?.size === grown) {
      const { by, root } = others.shift()!
      if (!Buffer.from(root).equals(tree.root())) faults.push({ fault: 'rewritten', size: grown, by })
    }
  }
}

/** For each leaf its hash in the tree, its place in the log, and the event itself; each of these may be missing. */
async function readBatch(db: Db, from: number, to: number) {
  const { leaves, entries, events } = await findLoggedBetween(db, from, to)
  const leafAt = new Map(leaves.map(({ index, hash }) => [index, hash]))
  const entryAt = new Map(entries.map((entry) => [entry.index, entry]))
  const eventAt = new Map(events.map((event) => [event.index, event]))
  return Array.from({ length: to - from }, (_, i) => {
    const index = from + i
    return { index, leaf: leafAt.get(index), entry: entryAt.get(index), event: eventAt.get(index) }
  })
}

async function findUnlogged(db: Db): Promise<LogFault[]> {
  const rows = await findEventsNotLogged(db, batch)
  return rows.map((row) => ({ fault: 'event-not-logged' as const, ...row }))
}

async function compareNodes(db: Db, made: readonly TreeNode[]): Promise<LogFault[]> {
  if (made.length === 0) return []
  const kept = await readNodes(db, made)
  return made
    .filter(({ level, index, hash }) => !kept.find(level, index)?.equals(hash))
    .map(({ level, index }) => ({ fault: 'node-changed' as const, level, index }))
}

/**
 * Checks that each event that came from another installation leads to the head that its log signed when the event
 * left.
 */
async function auditEarlier(db: Db): Promise<LogFault[]> {
  const faults: LogFault[] = []
  for (const { id, origin, publicKey, ...head } of await findEarlierLogs(db)) {
    const { size, root } = head
    const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' })
    if (!isHeadSigned(head, key)) faults.push({ fault: 'earlier-head-not-signed', origin, size })
    for (let after = -1; ;) {
      const entries = await findEarlierEntries(db, id, after, batch)
      for (const entry of entries) {
        const { index, siblings, requestId, number } = entry
        const proof = Array.from({ length: siblings.length / 32 }, (_, i) =>
          siblings.subarray(i * 32, i * 32 + 32),
        )
        if (!isIncluded(leafOf(entry), { leaf: index, size, root, proof }))
          faults.push({ fault: 'earlier-event-changed', origin, requestId, number })
      }
      if (entries.length < batch) break
      after = entries.at(-1)!.index
    }
  }
  return faults
}
