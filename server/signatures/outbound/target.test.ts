import { describe, expect, test } from 'vitest'
import { targetOf } from './target.ts'

const known = {
  configured: new Set(['tsp.example.kz:8318']),
  private: new Set(['10.0.0.5:9000', '[::1]:9000', 'ocsp.inside:80']),
}

describe('an address that is never called', () => {
  test.each([
    ['no address', 'ocsp.pki.gov.kz'],
    ['nothing', ''],
    ['a file', 'file:///etc/passwd'],
    ['a directory service', 'ldap://ldap.pki.gov.kz/cn=crl'],
    ['ftp', 'ftp://crl.pki.gov.kz/a.crl'],
    ['data', 'data:,x'],
    ['a user', 'http://user@ocsp.pki.gov.kz/'],
    ['a password', 'http://:word@ocsp.pki.gov.kz/'],
    ['a database', 'http://127.0.0.1:5432/'],
    ['a strange port', 'http://ocsp.pki.gov.kz:8080/'],
    ['mail', 'https://mail.example.kz:25/'],
    ['a configured name on another port', 'http://tsp.example.kz:8319/'],
    ['a listed address on another port', 'http://10.0.0.5:9001/'],
    ['loopback', 'http://127.0.0.1/'],
    ['loopback, shortened', 'http://127.1/'],
    ['loopback as one number', 'http://2130706433/'],
    ['loopback in hexadecimal', 'http://0x7f000001/'],
    ['loopback in hexadecimal parts', 'http://0x7f.0x0.0x0.0x1/'],
    ['loopback in octal', 'http://0177.0.0.1/'],
    ['loopback as one octal number', 'http://017700000001/'],
    ['loopback in other digits', 'http://①②⑦.⓪.⓪.①/'],
    ['loopback with a dot behind', 'http://127.0.0.1./'],
    ['loopback, percent-encoded', 'http://%31%32%37.0.0.1/'],
    ['zero', 'http://0/'],
    ['loopback of IPv6', 'http://[::1]/'],
    ['loopback of IPv6 at length', 'http://[0:0:0:0:0:0:0:1]/'],
    ['IPv4 mapped into IPv6', 'http://[::ffff:127.0.0.1]/'],
    ['IPv4 mapped into IPv6 in hexadecimal', 'http://[::ffff:7f00:1]/'],
    ['NAT64', 'http://[64:ff9b::10.0.0.1]/'],
    ['metadata of a cloud', 'http://169.254.169.254/latest/meta-data/'],
    ['metadata as one number', 'http://2852039166/'],
    ['metadata in IPv6', 'http://[fd00:ec2::254]/'],
  ])('%s: %s', (_, address) => expect(targetOf(address, known)).toBeUndefined())
})

describe('an address that may be called', () => {
  test.each([
    ['http://ocsp.pki.gov.kz', 'ocsp.pki.gov.kz:80', false],
    ['https://ocsp.pki.gov.kz/', 'ocsp.pki.gov.kz:443', false],
    ['HTTP://OCSP.pki.gov.kz:80/x', 'ocsp.pki.gov.kz:80', false],
    ['http://8.8.8.8/', '8.8.8.8:80', false],
    ['http://tsp.example.kz:8318/', 'tsp.example.kz:8318', false],
    ['http://10.0.0.5:9000/ocsp', '10.0.0.5:9000', true],
    ['http://0x0a.5:9000/ocsp', '10.0.0.5:9000', true],
    ['http://[0::1]:9000/', '[::1]:9000', true],
    ['http://ocsp.inside/', 'ocsp.inside:80', true],
  ])('%s', (address, service, mayBePrivate) => {
    expect(targetOf(address, known)).toMatchObject({ service, mayBePrivate })
  })
})
