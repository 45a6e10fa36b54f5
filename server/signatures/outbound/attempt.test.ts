import { existsSync, readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { outboundLimits } from './call.ts'
import { OutboundFailure } from './failure.ts'
import { callerTo, get, newFile, oneAttempt, reasonOf, text } from './testing-caller.ts'
import { httpService, rawService, tcpService, type Service } from './testing-services.ts'

const short = { ...outboundLimits, wholeMs: 60 }

describe('an outbound call', () => {
  test('sends the body unchanged and asks for an uncompressed response', async () => {
    const seen: unknown[] = []
    const service = await httpService((request, response) => {
      const { method, url, headers } = request
      seen.push(method, url, headers['content-type'], headers['content-length'], headers.accept)
      seen.push(headers['accept-encoding'], headers.host, headers.connection)
      request.on('data', (chunk: Buffer) => {
        seen.push(chunk.toString())
        response.setHeader('content-type', 'Application/OCSP-Response; x=y').end('answer')
      })
    })
    const answer = await callerTo([service]).call({
      address: `${service.address}ocsp/?a=b#c`,
      method: 'POST',
      body: Buffer.from('question'),
      contentType: 'application/ocsp-request',
      accept: 'application/ocsp-response',
      maxBytes: 6,
    })
    expect(text(answer)).toBe('answer')
    expect(seen).toEqual([
      'POST',
      '/ocsp/?a=b',
      'application/ocsp-request',
      '8',
      'application/ocsp-response',
      'identity',
      service.name,
      'close',
      'question',
    ])
  })

  test('can save the response into a file', async () => {
    const service = await httpService((_, response) => response.end('a list'))
    const path = newFile()
    await callerTo([service]).save(get(service.address), path)
    expect(readFileSync(path, 'utf8')).toBe('a list')
  })

  test('removes the file if the call fails', async () => {
    const service = await httpService((_, response) => response.end('x'.repeat(1001)))
    const path = newFile()
    expect(await reasonOf(callerTo([service]).save(get(service.address), path))).toBe('too-big')
    expect(existsSync(path)).toBe(false)
  })

  test('reports a file error as it is, without blaming the service and without another attempt', async () => {
    const service = await httpService((_, response) => response.end('a list'))
    const saving = callerTo([service]).save(get(service.address), '/nowhere/at/all')
    await expect(saving).rejects.toMatchObject({ code: 'ENOENT' })
    expect(service.connections()).toBe(1)
  })
})

describe('internal addresses', () => {
  const inside = async () => httpService((_, response) => response.end('secret'))

  test.each(['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::ffff:127.0.0.1]'])(
    'are not connected to when written as %s',
    async (host) => {
      const service = await inside()
      expect(await reasonOf(callerTo([]).call(get(`http://${host}:${service.port}/`)))).toBe(
        'refused-address',
      )
      expect(service.connections()).toBe(0)
    },
  )

  test.each([[['127.0.0.1']], [['::1']], [['::ffff:127.0.0.1']], [['2d00::1', '127.0.0.1']]])(
    'are not connected to when a name resolves to %j',
    async (addresses) => {
      const service = await inside()
      const name = `ocsp.example.kz:${service.port}`
      const known = { configured: new Set([name]), private: new Set<string>() }
      const caller = callerTo([], { known, resolve: async () => addresses })
      expect(await reasonOf(caller.call(get(`http://${name}/`)))).toBe('refused-address')
      expect(service.connections()).toBe(0)
    },
  )

  test('are not connected to when a name resolves differently the second time', async () => {
    const service = await inside()
    const name = `ocsp.example.kz:${service.port}`
    // The first address is in an unassigned block, so nothing responds there.
    const answers = [['2d00::1'], ['127.0.0.1']]
    const caller = callerTo([], {
      known: { configured: new Set([name]), private: new Set() },
      resolve: async () => answers.shift()!,
      limits: { ...outboundLimits, connectMs: 50 },
    })
    expect(await reasonOf(caller.call(get(`http://${name}/`)))).toBe('refused-address')
    expect(answers).toEqual([])
    expect(service.connections()).toBe(0)
  })

  test('are not connected to by a second lookup: a name is resolved once', async () => {
    const judged = await httpService((_, response) => response.end('judged'), { host: '127.0.0.2' })
    const other = await httpService((_, response) => response.end('other'), {
      host: '127.0.0.3',
      port: judged.port,
    })
    const answers = [['127.0.0.2'], ['127.0.0.3']]
    const name = `ocsp.example.kz:${judged.port}`
    const caller = callerTo([name], { resolve: async () => answers.shift()! })
    expect(text(await caller.call(get(`http://${name}/`)))).toBe('judged')
    expect(answers).toHaveLength(1)
    expect(other.connections()).toBe(0)
  })

  test('are not connected to by a redirect', async () => {
    const service = await inside()
    const redirecting = await httpService((_, response) =>
      response.writeHead(302, { location: service.address }).end(),
    )
    const caller = callerTo([redirecting, service])
    expect(await reasonOf(caller.call(get(redirecting.address)))).toBe('bad-answer')
    expect(service.connections()).toBe(0)
    expect(redirecting.connections()).toBe(1)
  })

  test('are connected to when the operator has listed them, by address or name', async () => {
    const service = await inside()
    expect(text(await callerTo([service]).call(get(service.address)))).toBe('secret')
    const name = `localhost:${service.port}`
    expect(text(await callerTo([name]).call(get(`http://${name}/`)))).toBe('secret')
  })
})

describe('the size limit of a response', () => {
  const sized: Record<string, RequestListener> = {
    'stated and true': (_, response) => response.setHeader('content-length', 1001).end('x'.repeat(1001)),
    'in chunks': (_, response) => {
      response.write('x'.repeat(600))
      response.end('x'.repeat(600))
    },
    endless: (_, response) => {
      const more = () => void response.write('x'.repeat(500), (error) => error ?? more())
      more()
    },
  }

  test.each(Object.entries(sized))('refuses a response that is too large, %s', async (_, answer) => {
    const service = await httpService(answer)
    expect(await reasonOf(callerTo([service]).call(get(service.address)))).toBe('too-big')
    expect(service.connections()).toBe(1)
  })

  test('refuses a response as soon as its stated length is too large', async () => {
    const service = await rawService('HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n')
    expect(await reasonOf(callerTo([service]).call(get(service.address)))).toBe('too-big')
  })

  test('is exact to the byte', async () => {
    const service = await httpService((_, response) => response.end('x'.repeat(1000)))
    expect(await callerTo([service]).call(get(service.address, 1000))).toHaveLength(1000)
    expect(await reasonOf(callerTo([service]).call(get(service.address, 999)))).toBe('too-big')
  })

  test('cuts a response at a stated length that is too short', async () => {
    const service = await rawService(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n12345${'x'.repeat(5000)}`)
    expect(text(await callerTo([service]).call(get(service.address)))).toBe('12345')
  })

  test('takes a stated length that is too long for a broken connection', async () => {
    const service = await tcpService((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n12345')),
    )
    expect(await reasonOf(callerTo([service]).call(get(service.address)))).toBe('unreachable')
  })

  test('refuses endless headers', async () => {
    const service = await rawService(`HTTP/1.1 200 OK\r\n${'x: '.padEnd(20_000, 'y')}`)
    expect(await reasonOf(callerTo([service]).call(get(service.address)))).toBe('bad-answer')
  })
})

describe('time limits', () => {
  test.each<[string, () => Promise<Service>]>([
    ['nothing is answered', () => tcpService(() => {})],
    ['headers stop midway', () => rawService('HTTP/1.1 200 OK\r\nx')],
    ['the body stops midway', () => rawService('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1')],
    [
      'the body stops between chunks',
      () => rawService('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n'),
    ],
    ['one is always about to answer', () => rawService('HTTP/1.1 100 Continue\r\n\r\n'.repeat(9))],
    ['the body drips', () => dripping('HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n')],
    ['headers drip', () => dripping('HTTP/1.1 200 OK\r\nx-slow: ')],
  ])('the whole call ends when %s', async (_, start) => {
    const service = await start()
    expect(await reasonOf(callerTo([service], { limits: short }).call(get(service.address)))).toBe('timeout')
  })

  test('a partly received file is removed at the timeout', async () => {
    const service = await rawService('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1')
    const path = newFile()
    const saving = callerTo([service], { limits: short }).save(get(service.address), path)
    expect(await reasonOf(saving)).toBe('timeout')
    expect(existsSync(path)).toBe(false)
  })

  // The whole call has ten seconds and the test five: only the connect timeout can end it.
  const quickly = { ...oneAttempt, connectMs: 50 }

  test('connecting times out when the name is not resolved', async () => {
    const caller = callerTo(['ocsp.inside:80'], { limits: quickly, resolve: () => new Promise(() => {}) })
    expect(await reasonOf(caller.call(get('http://ocsp.inside/')))).toBe('timeout')
  })

  test('connecting times out when a TLS handshake is not answered', async () => {
    const service = await tcpService(() => {})
    const call = callerTo([service], { limits: quickly }).call(get(`https://${service.name}/`))
    expect(await reasonOf(call)).toBe('timeout')
  })

  describe('in the default settings', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
    afterEach(() => void vi.useRealTimers())

    test('connecting is limited to three seconds, which do not count once connected', async () => {
      const service = await httpService((_, response) => {
        vi.advanceTimersByTime(9999)
        response.end('just in time')
      })
      expect(text(await callerTo([service]).call(get(service.address)))).toBe('just in time')

      const silent = callerTo(['ocsp.inside:80'], {
        limits: oneAttempt,
        resolve: () => {
          vi.advanceTimersByTime(3000)
          return new Promise(() => {})
        },
      })
      expect(await reasonOf(silent.call(get('http://ocsp.inside/')))).toBe('timeout')
    })

    test('the whole call is limited to ten seconds', async () => {
      const service = await httpService(() => void vi.advanceTimersByTime(10_000))
      expect(await reasonOf(callerTo([service]).call(get(service.address)))).toBe('timeout')
      expect(service.connections()).toBe(1)
    })

    test('pauses between attempts count too, and the last failure is reported', async () => {
      const service = await httpService((_, response) => response.writeHead(500).end())
      const caller = callerTo([service], { pause: async () => void vi.advanceTimersByTime(10_000) })
      expect(await reasonOf(caller.call(get(service.address)))).toBe('unreachable')
      expect(service.connections()).toBe(1)
    })
  })
})

describe('invalid responses are a failure', () => {
  const head = (lines: string) => rawService(`HTTP/1.1 ${lines}\r\n\r\n`)

  test.each<[string, () => Promise<Service>]>([
    ['moved for ever', () => head('301 Moved\r\nlocation: http://example.kz/\r\ncontent-length: 0')],
    ['not modified', () => head('304 Not Modified')],
    ['not found', () => head('404 Not Found\r\ncontent-length: 0')],
    ['no content', () => head('204 No Content')],
    ['a part', () => head('206 Partial Content\r\ncontent-length: 0')],
    ['another protocol', () => head('101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade')],
    ['two lengths', () => head('200 OK\r\ncontent-length: 1\r\ncontent-length: 2')],
    ['not HTTP', () => rawService('220 mail.example.kz ESMTP\r\n')],
    ['gzip', () => gzipped({ 'content-encoding': 'gzip' })],
    ['gzip twice', () => gzipped({ 'content-encoding': 'identity, gzip' })],
    ['gzip on the way', () => head('200 OK\r\ntransfer-encoding: gzip, chunked')],
  ])('%s', async (_, start) => {
    const service = await start()
    expect(await reasonOf(callerTo([service]).call(get(service.address)))).toBe('bad-answer')
    expect(service.connections()).toBe(1)
  })

  test.each([undefined, 'text/html', 'application/timestamp-reply2', 'application/timestamp-query'])(
    'with media type %s for a timestamp',
    async (type) => {
      const service = await httpService((_, response) =>
        (type === undefined ? response : response.setHeader('content-type', type)).end('x'),
      )
      const question = { ...get(service.address), accept: 'application/timestamp-reply' }
      expect(await reasonOf(callerTo([service]).call(question))).toBe('bad-answer')
    },
  )

  test('whose text is not put into the error', async () => {
    const service = await httpService((_, response) => response.writeHead(404, 'Mallory').end('was here'))
    const call = callerTo([service]).call(get(service.address))
    await expect(call).rejects.toThrow(new OutboundFailure('bad-answer', service.name, 'status 404'))
  })

  test('as is TLS without a certificate', async () => {
    const tls = createTlsServer({})
    const service = await tcpService((socket) => void tls.emit('connection', socket))
    expect(await reasonOf(callerTo([service]).call(get(`https://${service.name}/`)))).toBe('unreachable')
  })
})

function gzipped(headers: Record<string, string>): Promise<Service> {
  return httpService((_, response) => response.writeHead(200, headers).end(gzipSync('x'.repeat(100_000))))
}

/** Sends one byte at a time for ever, so every single wait is short. */
function dripping(beginning: string): Promise<Service> {
  return tcpService((socket) => {
    socket.write(beginning)
    const drip = setInterval(() => socket.write('x'), 5)
    socket.on('close', () => clearInterval(drip))
  })
}
