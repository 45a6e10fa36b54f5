/** Served by server/http/site at the root: a service worker controls only addresses below its own folder. */
export const serviceWorkerPath = '/verify-worker.js'
