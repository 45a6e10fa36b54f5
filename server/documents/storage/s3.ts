/** Stores files in an S3-compatible service: one object for each, sent with its length and hash. */
import { openAsBlob } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { minute } from '@kelisim/domain/durations.ts'
import { causeHeaders, inSpan } from '../../tracing/tracing.ts'
import { receive, TooLarge } from './receive.ts'
import { StorageDeniedError, StorageError, type Storage, type StoredFile } from './storage.ts'
import { watched, type OnStorageFailure } from './watched.ts'

export type S3Config = {
  /** Including the bucket: https://s3.example.kz/documents */
  url: URL
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const timeoutMs = minute
/** Larger than any stored file. */
const largest = 64 * 1024 * 1024

export async function s3Storage(
  config: S3Config,
  incoming: string,
  onFailure?: OnStorageFailure,
): Promise<Storage> {
  const { region, accessKeyId, secretAccessKey } = config
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 })
  const base = config.url.href.replace(/\/$/, '')
  await mkdir(incoming, { recursive: true })

  /** Returns the response if its status is one of the expected ones. */
  async function ask(key: string, init: StorageRequest, means: number[]) {
    let answer: Response
    try {
      answer = await inSpan('client', `${init.method ?? 'GET'} storage`, {}, () =>
        client.fetch(`${base}/${key}`, {
          ...init,
          headers: { ...init.headers, ...causeHeaders() },
          signal: AbortSignal.timeout(timeoutMs),
        }),
      )
    } catch (error) {
      throw new StorageError('the storage cannot be reached', { cause: error })
    }
    if (means.includes(answer.status)) return answer
    await answer.body?.cancel()
    const isDenied = answer.status === 401 || answer.status === 403
    throw new (isDenied ? StorageDeniedError : StorageError)(`the storage answered ${answer.status}`)
  }

  /** False once the service has answered that it does not support conditional puts. */
  let takesConditions = true

  return watched(
    {
      incoming,
      receive: (stream, limit, options) => receive(stream, incoming, limit, options),
      async keep(key, received) {
        // The body is read from the disk while it is sent, and again for a retry.
        const body = await openAsBlob(received.path)
        const headers = {
          // Makes the service verify the bytes.
          'x-amz-content-sha256': received.sha256.toString('hex'),
        }
        const isStored = takesConditions && (await putUnlessThere(ask, key, body, headers))
        if (!isStored) {
          takesConditions = false
          // Keys are random, so nobody takes this one between the HEAD and the PUT.
          const { status } = await ask(key, { method: 'HEAD' }, [200, 404])
          if (status === 200) throw new StorageError('the storage has this file already')
          const answer = await ask(key, { method: 'PUT', body, headers }, [200, 201])
          await answer.body?.cancel()
        }
        await received.discard()
      },
      async borrow(key) {
        const answer = await ask(key, {}, [200, 404])
        if (answer.status === 404 || !answer.body) {
          await answer.body?.cancel()
          return null
        }
        const bytes = Readable.fromWeb(answer.body as ReadableStream)
        try {
          const { path, discard } = await receive(bytes, incoming, largest)
          return { path, release: discard }
        } catch (error) {
          throw new StorageError(
            error instanceof TooLarge ? 'the storage gave too much' : 'a file broke off',
            {
              cause: error,
            },
          )
        }
      },
      async exists(key) {
        return (await ask(key, { method: 'HEAD' }, [200, 404])).status === 200
      },
      async remove(key) {
        const answer = await ask(key, { method: 'DELETE' }, [200, 202, 204, 404])
        await answer.body?.cancel()
      },
      async *list() {
        for (let next: string | null = ''; next !== null;) {
          const after: string = next && `&continuation-token=${encodeURIComponent(next)}`
          const answer = await ask(`?list-type=2${after}`, {}, [200])
          const page = await answer.text()
          yield* listedIn(page)
          next = elementOf(page, 'NextContinuationToken')
        }
      },
      async isEmpty() {
        const answer = await ask('?list-type=2', {}, [200])
        return !(await answer.text()).includes('<Key>')
      },
      freeBytes: async () => null,
    },
    onFailure,
  )
}

type StorageRequest = Omit<RequestInit, 'headers'> & { headers?: Readonly<Record<string, string>> }
type Ask = (key: string, init: StorageRequest, means: number[]) => Promise<Response>

/** False: the service does not support conditional puts (OpenStack Swift), and stored nothing. */
async function putUnlessThere(
  ask: Ask,
  key: string,
  body: Blob,
  given: Record<string, string>,
): Promise<boolean> {
  const headers = { ...given, 'if-none-match': '*' }
  const answer = await ask(key, { method: 'PUT', body, headers }, [200, 201, 501])
  await answer.body?.cancel()
  return answer.status !== 501
}

function* listedIn(page: string): Generator<StoredFile> {
  for (const [, contents = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
    const [key, bytes, storedAt] = ['Key', 'Size', 'LastModified'].map((name) => elementOf(contents, name))
    if (key && bytes && storedAt) yield { key, bytes: Number(bytes), storedAt: new Date(storedAt) }
  }
}

/** Keys, numbers and dates of files need no more XML parsing than this. */
function elementOf(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return text?.replaceAll('&quot;', '"').replaceAll('&amp;', '&') ?? null
}
