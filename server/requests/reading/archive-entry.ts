/** A file of an archive, which is opened only when it is written. */
export type Entry = {
  name: string
  at: Date
  /** Text is compressed; documents are compressed already. */
  isText?: boolean
  open: () => Promise<
    | { bytes: Uint8Array }
    | { pieces: AsyncIterable<Uint8Array> }
    | { path: string; release: () => Promise<void> }
  >
}
