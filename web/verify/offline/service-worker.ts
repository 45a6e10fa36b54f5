/**
 * Keeps the check page in the browser, so that it works without a network after one visit. It handles only files of
 * the site: checked files never pass through it. The build fills in the version and the files
 * (scripts/build/build-offline.ts).
 */
declare const __VERSION__: string
declare const __FILES__: readonly string[]

/** The used part of the service worker types, because the libraries "dom" and "webworker" exclude each other. */
type Scope = {
  addEventListener: ((type: 'install' | 'activate', listen: (event: Lasting) => void) => void) &
    ((type: 'fetch', listen: (event: Fetching) => void) => void)
  clients: { claim: () => Promise<void> }
}
type Lasting = { waitUntil: (work: Promise<unknown>) => void }
type Fetching = { request: Request; respondWith: (response: Promise<Response>) => void }

const scope = self as unknown as Scope
const prefix = 'verify-'
const current = `${prefix}${__VERSION__}`
const page = '/verify'
const files = __FILES__

scope.addEventListener('install', (event) => {
  event.waitUntil(caches.open(current).then((cache) => cache.addAll([page, ...files])))
})

/**
 * A new version takes over only when the last page of the old one is closed, so that open pages find the files with
 * which they were built.
 */
scope.addEventListener('activate', (event) => {
  event.waitUntil(removeOld().then(() => scope.clients.claim()))
})

async function removeOld(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(prefix) && name !== current)
  await Promise.all(old.map((name) => caches.delete(name)))
}

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    // The network first, so that the newest page is shown whenever it is reachable.
    if (pathname === page) event.respondWith(fetch(request).catch(() => kept(page)))
  } else if (files.includes(pathname)) event.respondWith(kept(pathname, request))
})

/** Ignores the `Vary` header: the page varies by language and cookies, but only one copy of it is stored. */
async function kept(path: string, request?: Request): Promise<Response> {
  const cache = await caches.open(current)
  const found = await cache.match(path, { ignoreVary: true })
  return found ?? (request ? fetch(request) : Response.error())
}
