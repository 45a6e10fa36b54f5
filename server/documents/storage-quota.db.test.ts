import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { day } from '@kelisim/domain/durations.ts'
import { deleteDocument } from '@kelisim/domain/documents/contract.ts'

import { startTestApp } from '../testing.ts'
import { countBytes } from './queries.ts'
import { sweepFiles } from './sweep.ts'
import { goodPdf } from './testing-corpus.ts'
import { uploader } from './testing-uploads.ts'

const quota = 3 * goodPdf.length
const context = await startTestApp({ organizationStorageBytes: quota })
const { make, call, archive, database, time, travel } = context
const upload = uploader(context)

test('an organisation can store files up to its quota, and more after deleting documents', async () => {
  const owner = await make.person()
  const organizationId = await make.organization(owner)
  const neighbour = await make.organization(owner)
  const kept = [await upload(owner, organizationId), await upload(owner, organizationId)]
  // Without a declared length, as in chunks, the size is known only when all of it has come.
  const third = await upload(owner, organizationId, { bytes: Readable.from([goodPdf]) })
  expect([...kept, third].map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await countBytes(database.db, organizationId)).toBe(quota)

  for (const bytes of [goodPdf, Readable.from([goodPdf])]) {
    const { status, error } = await upload(owner, organizationId, { bytes })
    expect(status).toBe(413)
    expect(error).toMatchObject({
      ClassName: 'HttpException',
      ExceptionData: { Alias: 'storage-quota-exceeded', Parameters: { used: 1, maximum: 0 } },
    })
  }
  expect((await upload(owner, neighbour)).status).toBe(200)

  const { status } = await call(owner, deleteDocument, { organizationId, documentId: third.result.id })
  expect(status).toBe(200)
  await travel(new Date(time.now.getTime() + 2 * day))
  await sweepFiles(database, archive.storage, time.now)
  expect(await countBytes(database.db, organizationId)).toBe(quota - goodPdf.length)
  expect((await upload(owner, organizationId)).status).toBe(200)
})
