/** The maker of each kind of output. */
import { writeFile } from 'node:fs/promises'
import type { KeyObject } from 'node:crypto'
import type { Database } from '@kelisim/db/db.ts'
import { standingOf } from '@kelisim/domain/outputs/output.ts'
import { pages, requestPage } from '@kelisim/domain/pages.ts'
import { placeIn } from '@kelisim/domain/requests/places/place.ts'
import { requestStatusOf } from '@kelisim/domain/requests/status.ts'
import type { Indication } from '@kelisim/domain/signatures/verdict.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { borrowVerified } from '../documents/storage/verified.ts'
import { keepCodes, newCodes, printedCodes } from '../requests/core/access-codes.ts'
import { safeName } from '../requests/reading/archive-names.ts'
import { fileOf, hiddenEvents } from '../requests/reading/handlers.ts'
import { signHead } from '../transparency/heads.ts'
import type { Witnessing } from '../transparency/witnesses.ts'
import { entryLines, proofLines } from './bundle/history.ts'
import { makeBundle } from './bundle/make-bundle.ts'
import { durableSignatures } from './core/durable.ts'
import { borrowSignedDocument } from './core/signed-document.ts'
import type { Revisions } from '../requests/signed-pdf/revisions.ts'
import type { Makers, Making } from './making.ts'
import type { AccessCodes, PrintableSignature } from './printable/printable-job.ts'
import type { LoadedRequest } from '../requests/core/loaded.ts'
import type { Printing } from './printable/printing.ts'
import { reportFacts } from './report/report-facts.ts'
import type { Reports } from './report/reports.ts'
import { PoolError } from '../workers/pool.ts'

export type MakersDependencies = {
  database: Database
  printing: Printing
  revisions: Revisions
  reports: Reports
  logKey: KeyObject
  logOrigin?: string | undefined
  witnessing?: Witnessing | undefined
  publicUrl: URL
}

export function makersOf(parts: MakersDependencies): Makers {
  const { database, printing, revisions, reports, logKey, logOrigin, witnessing, publicUrl } = parts
  return {
    async printable(making) {
      const { row } = making.loaded
      // New codes for every printing, because earlier ones are stored only as hashes.
      const codes = await newCodes(row)
      await print(making, 'signing', printedCodes(row, codes, publicUrl))
      await database.write((tx) => keepCodes(tx, row.id, codes, making.now))
    },

    // Without codes: the codes of the document itself already show that it was terminated.
    terminating: (making) => print(making, 'terminating', { letters: null, link: null, validUntil: null }),

    report: async (making) => writeFile(making.path, await report(making)),

    async evidence(making) {
      const pdf = making.facts.isReportAllowed ? await report(making).catch(withoutReport) : null
      const log = { logKey, logOrigin, witnessing, revisions }
      await makeBundle({ ...making, ...log, database, publicUrl, report: pdf }, making.path)
    },
  }

  async function print(
    making: Making,
    process: 'signing' | 'terminating',
    codes: AccessCodes,
  ): Promise<void> {
    const { db, storage, loaded, language, facts, path } = making
    const { row } = loaded
    const isTerminating = process === 'terminating'
    const document = await fileOf(db, row, isTerminating ? 'terminating' : 'original')
    const signatures = await durableSignatures(db, loaded, process)
    const original = await borrowVerified(storage, document.file)
    const signed = isTerminating ? null : await borrowSignedDocument(db, { storage, revisions }, row.id)
    const inside = new Set(signed?.signatures.map(({ id }) => id))
    try {
      await printing.print({
        originalPath: original.path,
        signedPath: signed?.path,
        outPath: path,
        language,
        codes,
        facts: {
          requestId: row.id,
          name: document.title,
          // What the sender wrote about the document says nothing about its termination.
          description: isTerminating ? '' : row.description,
          // The registration number belongs to the document, not to its termination.
          registration: isTerminating ? null : facts.registration,
          fileName: safeName(document.name, 'document.pdf'),
          signingDate: document.date,
          sender: { name: row.senderName, number: row.senderBin, confirmedAt: row.senderConfirmedAt },
          systemName: textsOf(language, 'common')('product'),
          requestUrl: new URL(requestPage(row.id), publicUrl).href,
          verifyUrl: new URL(pages.verify, publicUrl).href,
          madeAt: making.now,
          areTimesShown: facts.isDateShown,
          isCompact: facts.isCompact,
          hasFooterMark: facts.hasFooterMark,
          standing: standingOf(requestStatusOf(row.status), process),
        },
        signatures: signatures.map(
          ({ id, pointId, cms, fileName: name, receivedAt, checkedAt, verdict }) => ({
            cms,
            fileName: inside.has(id) ? null : name,
            acceptedAt: receivedAt,
            verdict: {
              indication: (verdict?.verdict ?? 'INDETERMINATE') as Indication,
              code: verdict?.code ?? null,
              checkedAt,
            },
            seal: isTerminating ? null : sealAt(loaded, pointId),
          }),
        ),
      })
    } finally {
      await original.release()
      await signed?.release()
    }
  }

  async function report(making: Making): Promise<Uint8Array> {
    const { db, now, language, loaded, viewer } = making
    const facts = await reportFacts(db, making, { publicUrl, now })
    const head = await signHead(database, logKey, now)
    const history = {
      requestId: loaded.row.id,
      last: facts.events.at(-1)?.number ?? 0,
      hidden: hiddenEvents(loaded, viewer),
    }
    const [entries, proofs] = await Promise.all([
      joined(entryLines(db, history)),
      joined(proofLines(db, history, head.size)),
    ])
    return reports.print({ language, facts, log: { head, entries, proofs } })
  }
}

/** Where on the page the author wanted the signatures of this point to be shown. */
function sealAt({ row, signing }: LoadedRequest, pointId: string): PrintableSignature['seal'] {
  const point = signing.find((one) => one.pointId === pointId)
  const place = placeIn(row.revision, point?.place ?? null)
  return place && { pointId, place }
}

/** Unusual text can make the printing of a report fail; the evidence is complete without it. */
function withoutReport(error: unknown): null {
  if (error instanceof PoolError && (error.reason === 'crashed' || error.reason === 'overdue')) return null
  throw error
}

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}
