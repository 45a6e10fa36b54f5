import { expect, test } from 'vitest'
import { openCode } from './app/code.ts'

const address = 'https://sign.example.kz/e/3h2Kq/mgovSign'
const encoded = encodeURIComponent(address)
const allowed = { origins: ['https://sign.example.kz'], isHttpsOnly: true }

test.each([
  ['the QR text', `mobileSign:${address}`],
  ['white space around it', `  mobileSign:${address}\n`],
  ['eGov Mobile, raw', `https://m.egov.kz/mobileSign/?link=${address}`],
  ['eGov Mobile, encoded', `https://m.egov.kz/mobileSign/?link=${encoded}`],
  [
    'eGov Mobile as seen live',
    `https://m.egov.kz/mobileSign?link=${address}&isi=1476128386&ibi=kz.egov.mobile&apn=kz.mobile.mgov`,
  ],
  ['eGov Business', `https://m.egov.kz/businessSign/?link=${encoded}`],
  ['the old one of iOS', `https://mgovsign.page.link/?link=${encoded}&isi=1476128386&ibi=kz.egov.mobile`],
  ['the old one of Android', `https://mgovsign.page.link/?link=${address}&apn=kz.mobile.mgov`],
  [
    'the old one of eGov Business',
    `https://egovbusiness.page.link/?link=${encoded}&isi=1597880144&ibi=kz.mobile.mgov.business&apn=kz.mobile.mgov.business`,
  ],
])('%s is opened', (_, code) => {
  expect(openCode(code, allowed).href).toBe(address)
})

test.each([
  ['as a flag of the query', 'https://sign.example.kz/api?id=1&mgovSign'],
  ['with parameters', 'https://sign.example.kz/mgovSign?a=1&b=2'],
])('the word mgovSign may stand %s', (_, flagged) => {
  const launcher = 'https://m.egov.kz/mobileSign/?link='
  expect(openCode(`mobileSign:${flagged}`, allowed).href).toBe(flagged)
  expect(openCode(launcher + flagged, allowed).href).toBe(flagged)
  expect(openCode(launcher + encodeURIComponent(flagged), allowed).href).toBe(flagged)
})

test.each([
  ['nothing', '', 'not-a-code'],
  ['a bare address', address, 'not-a-code'],
  ['the prefix in another case', `MobileSign:${address}`, 'not-a-code'],
  ['a space after the prefix', `mobileSign: ${address}`, 'not-a-code'],
  ['no address', 'mobileSign:mgovSign', 'not-a-code'],
  ['another launcher', `https://m.egov.kz.example/mobileSign/?link=${encoded}`, 'not-a-code'],
  ['another path of the launcher', `https://m.egov.kz/login/?link=${encoded}`, 'not-a-code'],
  ['a launcher without a link', 'https://m.egov.kz/mobileSign/', 'not-a-code'],
  ['without the word', 'mobileSign:https://sign.example.kz/e/3h2Kq', 'no-word'],
  ['the word in another case', 'mobileSign:https://sign.example.kz/e/mgovsign', 'no-word'],
  ['another host', 'mobileSign:https://evil.example/mgovSign', 'unknown-host'],
  ['the host with a tail', 'mobileSign:https://sign.example.kz.evil.example/mgovSign', 'unknown-host'],
  [
    'the host as a name before it',
    'mobileSign:https://sign.example.kz@evil.example/mgovSign',
    'unknown-host',
  ],
  ['another port', 'mobileSign:https://sign.example.kz:8443/mgovSign', 'unknown-host'],
  ['no protection', 'mobileSign:http://sign.example.kz/mgovSign', 'not-https'],
  ['a file', 'mobileSign:file:///etc/mgovSign', 'not-https'],
])('refused: %s', (_, code, problem) => {
  expect(() => openCode(code, allowed)).toThrow(expect.objectContaining({ code: problem }))
})

test('without a list every host may ask, and http is accepted where it is allowed', () => {
  const code = 'mobileSign:http://127.0.0.1:8080/mgovSign'
  expect(openCode(code, { isHttpsOnly: false }).host).toBe('127.0.0.1:8080')
  expect(() => openCode('mobileSign:ftp://127.0.0.1/mgovSign', { isHttpsOnly: false })).toThrow('not-https')
})
