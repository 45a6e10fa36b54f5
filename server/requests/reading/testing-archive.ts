/** For tests: the files of an archive by their names. */
import { fromBuffer, type Entry } from 'yauzl'

export function unpacked(bytes: Buffer): Promise<Map<string, Buffer>> {
  return new Promise((resolve, reject) => {
    const files = new Map<string, Buffer>()
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error)
      zip.on('entry', (entry: Entry) =>
        zip.openReadStream(entry, (failure, stream) => {
          if (failure) return reject(failure)
          const pieces: Buffer[] = []
          stream.on('data', (piece: Buffer) => pieces.push(piece))
          stream.once('end', () => {
            files.set(entry.fileName, Buffer.concat(pieces))
            zip.readEntry()
          })
        }),
      )
      zip.once('end', () => resolve(files))
      zip.once('error', reject)
      zip.readEntry()
    })
  })
}
