import { describe, expect, test } from 'vitest'
import { returnPlace } from './return-app.ts'

const application = { clientId: 'kelisim', origin: 'https://kelisim.kz' }

describe('returnApp', () => {
  test.each([
    ['https://kelisim.kz', '/'],
    ['https://kelisim.kz/', '/'],
    [
      'https://kelisim.kz/signingRequests/incomings?organizationId=7&a=b#top',
      '/signingRequests/incomings?organizationId=7&a=b#top',
    ],
    ['https://kelisim.kz/redirect?to=https://evil.example', '/redirect?to=https://evil.example'],
  ])('%s leads to %s', (value, path) => {
    expect(returnPlace(value, [application])).toEqual({ application, path })
  })

  test.each([
    '',
    '/',
    '/signingRequests',
    '//evil.example',
    '///evil.example',
    '\\\\evil.example',
    '/\\evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https://evil.example',
    'https://evil.example/https://kelisim.kz/',
    'https://kelisim.kz.evil.example/',
    'https://kelisim.kz@evil.example/',
    'https://kelisim.kz:443@evil.example/',
    'https://user@kelisim.kz/',
    'https://kelisim.kz:8443/',
    'http://kelisim.kz/',
    'https://kelisim.kz//evil.example',
    'https://kelisim.kz/\\evil.example',
    'https://kelisim.kz/\t/evil.example',
    'https://kelisim.kz/%0d%0aSet-Cookie:x=1\r\nx: y',
    'https://kelisim.kz/./\n//evil.example',
    'https://kelisim.kz/.//evil.example',
    'https://kelisim.kz/a/..//evil.example',
    ' https://kelisim.kz/',
    'https://kelisim.kz\u0000.evil.example/',
    'https://kelisim。kz/',
    'javascript:alert(1)',
    'javascript://kelisim.kz/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    `https://kelisim.kz/${'a'.repeat(3000)}`,
  ])('%j leads nowhere', (value) => {
    expect(returnPlace(value, [application])).toBeNull()
  })
})
