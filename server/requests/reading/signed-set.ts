/** A document with all its accepted signatures as one archive: of the signing process, or of the last termination. */
import { refuse } from '@kelisim/domain/errors.ts'
import { downloadSignedSet } from '@kelisim/domain/requests/files-contract.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import type { Files } from '../../http/files.ts'
import { giveArchive, oneAtATime } from './archive.ts'
import { safeName, uniqueNames } from './archive-names.ts'
import { documentEntries } from './document-entries.ts'
import { signatureEntries } from './signature-entries.ts'
import { findAcceptedInside } from '../signed-pdf/queries.ts'
import { partyOf, visibleRequest } from '../core/party.ts'
import { fileOf, signaturesSeen } from './handlers.ts'
import { findSignatures } from '../core/queries/signatures.ts'

export function signedSetHandlers(files: Files, storage: Storage): void {
  const limited = oneAtATime()

  files.give(downloadSignedSet, async ({ input, who, db, now }) => {
    const party = await partyOf(db, who, now)
    const loaded = await visibleRequest(db, input.signingRequestId, party)
    const isTerminating = input.process === 'terminating'
    const { file, name } = await fileOf(db, loaded.row, isTerminating ? 'terminating' : 'original')
    const isSeen = signaturesSeen(loaded, party.viewer)
    const attempt = isTerminating ? loaded.row.attempt : 0
    const accepted = (await findSignatures(db, loaded.row.id, attempt)).filter(
      ({ state, actor, pointId, ...one }) =>
        state === 'accepted' && one.attempt === attempt && isSeen({ pointId, actorId: actor.id }),
    )
    if (accepted.length === 0) {
      refuse(isTerminating ? 'signed-terminating-document-not-found' : 'signed-signing-document-not-found')
    }
    const unique = uniqueNames()
    const fileName = unique(safeName(name, 'document'))
    const beside = accepted.filter(({ gapFrom }) => gapFrom === null)
    const hasInside = beside.length < accepted.length
    // Each signed XML contains the whole document, so the original beside them would only look unsigned.
    const isInEach = accepted.length > 0 && accepted.every(({ isInXml }) => isInXml)
    const document = documentEntries(storage, {
      name: fileName,
      at: loaded.row.createdAt,
      file,
      newest: hasInside ? (await findAcceptedInside(db, loaded.row.id)).at(-1) : undefined,
      hasBeside: beside.length > 0,
      unique,
    })
    const signatures = signatureEntries({ db, storage }, beside, { fileName, file, unique })
    return limited(party.viewer.id, () =>
      giveArchive([...(isInEach ? [] : document), ...signatures], `${fileName}.zip`),
    )
  })
}
