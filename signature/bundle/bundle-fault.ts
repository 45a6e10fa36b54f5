export type BundleFault = {
  fault:
    /** Not an archive of ours, or its manifest cannot be read. */
    | 'not-a-bundle'
    | 'too-much'
    | 'unsafe-name'
    | 'manifest-not-signed'
    | 'file-missing'
    | 'file-changed'
    /** In the archive but not in its manifest. */
    | 'file-extra'
    /** The log's key is not the known one. */
    | 'log-key-other'
    | 'head-not-signed'
    /** The head as a signed note is of another tree, or a signature in it is wrong. */
    | 'checkpoint-other'
    /** The text of an event is not what was hashed into the log, or belongs to another request. */
    | 'entry-changed'
    | 'entry-not-in-log'
    /** Events are out of order, repeated, or not as many as stated. */
    | 'history-incomplete'
    /** The log has another signature, or another document, than the bundle. */
    | 'signature-not-in-log'
    | 'document-not-in-log'
    /** The manifest states another signer, or another time of receipt, than the log. */
    | 'manifest-other'
    /** The signature with evidence is not the signature that was received. */
    | 'durable-other'
    /** The evidence record is not of this document and signature, or contradicts itself. */
    | 'record-wrong'
  /** The file or signature, or the number of the event. */
  of: string
}
