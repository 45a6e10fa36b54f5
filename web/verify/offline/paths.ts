/** Served by server/http/site beside the check page: a service worker may keep what is below its own address only. */
export const serviceWorkerPath = '/verify-worker.js'
