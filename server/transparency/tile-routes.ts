/**
 * The log as files for everybody (c2sp.org/tlog-tiles): its newest head and its tree in tiles. The entries themselves
 * are not published, because they contain what only the sides of a request may know (decision 054).
 */
import type { FastifyReply } from 'fastify'
import { refuse } from '@kelisim/domain/errors.ts'
import { hashesOfLevel, rangeOfTile, readTilePath } from '@kelisim/signature/transparency/tiles.ts'
import type { Http } from '../http/open.ts'
import { findNewestCheckpoint, findWitnessed } from './checkpoint-queries.ts'
import { signCheckpoint, wholeNote, type Log } from './checkpoints.ts'
import { findLevel, sizeOfTree } from './queries.ts'
import { namesOf, type Witnessing } from './witnesses.ts'

const open = { config: { access: 'anyone' } } as const

export function openTiles({ app, database, clock }: Http, log: Log, witnessing: Witnessing): void {
  app.get('/log/checkpoint', open, async (_, reply) => {
    const { db } = database
    // A witnessed head is preferred: only of a head that witnesses have seen can others be sure that everybody sees
    // the same log.
    const witnessed = await findWitnessed(db, namesOf(witnessing), witnessing.quorum)
    // A job signs heads on schedule, so a caller has to wait for one to be signed only before the first.
    const newest =
      witnessed ?? (await findNewestCheckpoint(db)) ?? (await signCheckpoint(database, log, clock()))
    return forEverybody(reply)
      .header('cache-control', 'public, max-age=5')
      .type('text/plain; charset=utf-8')
      .send(wholeNote(newest))
  })

  app.get<{ Params: { '*': string } }>('/log/tile/*', open, async (request, reply) => {
    const tile = readTilePath(request.params['*'])
    if (!tile) return refuse('page-not-found')
    const { level, start, end } = rangeOfTile(tile)
    // Only complete subtrees are published: they never change, so copies of them may be kept for ever.
    if (end > hashesOfLevel(tile.level, await sizeOfTree(database.db))) return refuse('page-not-found')
    return forEverybody(reply)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('application/octet-stream')
      .send(Buffer.concat(await findLevel(database.db, level, start, end)))
  })
}

/** Other sites' pages may read the response too, because all of it is public. */
function forEverybody(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  })
}
