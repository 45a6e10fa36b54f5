export type BundleFault = {
  fault:
    /** Not an archive of ours at all, or one whose table of contents cannot be read. */
    | 'not-a-bundle'
    | 'too-much'
    | 'unsafe-name'
    | 'manifest-not-signed'
    | 'file-missing'
    | 'file-changed'
    /** Lies in the archive and is not in its table of contents. */
    | 'file-extra'
    /** The log's key is not the one that is known. */
    | 'log-key-other'
    | 'head-not-signed'
    /** The text of an event is not what was hashed into the log, or is of another request. */
    | 'entry-changed'
    | 'entry-not-in-log'
    /** Events are out of order, twice, or not as many as is said. */
    | 'history-incomplete'
    /** The log knows another signature, or another document, than the one that lies here. */
    | 'signature-not-in-log'
    | 'document-not-in-log'
    /** The one with the evidence is not the signature that came. */
    | 'durable-other'
  /** Which file or signature, or the number of the event. */
  of: string
}
