/** The storage failed; the operation can be retried. */
export class StorageError extends Error {}

/** The storage denies access. */
export class StorageDeniedError extends StorageError {}
