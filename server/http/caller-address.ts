import type { IncomingMessage } from 'node:http'

/**
 * The caller's IP address for services mounted beside fastify: the nth from the right of X-Forwarded-For, where n is
 * the number of trusted proxies. What the caller itself wrote into the header stands further left.
 */
export function callerAddress(request: IncomingMessage, trustedProxies: number): string {
  const socket = request.socket.remoteAddress ?? ''
  if (trustedProxies === 0) return socket
  const header = request.headers['x-forwarded-for']
  const named = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => part.trim())
  const all = [...named.filter((part) => part !== ''), socket]
  return all[Math.max(0, all.length - 1 - trustedProxies)] ?? socket
}
