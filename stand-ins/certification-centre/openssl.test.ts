/** OpenSSL checks the RSA side of the centre. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasOpenssl, openssl, withoutOpenssl, type OpensslRun } from '@kelisim/signature/testing/openssl.ts'
import type { Issued } from './centre.ts'
import { startCertificationCentre, type CertificationCentre } from './server.ts'
import {
  allowTime,
  anOrder,
  anOrganization,
  bytesAt,
  document,
  password,
  post,
  temporaryFolder,
} from './testing.ts'

allowTime()

function pem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .match(/.{1,64}/g)!
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

type Run = (...args: string[]) => OpensslRun

describe.skipIf(!hasOpenssl)(`OpenSSL${withoutOpenssl}`, () => {
  const { folder, remove } = temporaryFolder()
  let running: CertificationCentre
  let person: Issued
  let revoked: Issued

  beforeAll(async () => {
    running = await startCertificationCentre({ port: 0, folder })
    person = await running.centre.issue(anOrder({ kind: 'rsa', organization: anOrganization }))
    revoked = await running.centre.issue(anOrder({ kind: 'rsa', use: 'authentication' }))
    running.centre.revoke({ serial: Buffer.from(revoked.certificate.serial).toString('hex') }, 'superseded')
  })
  afterAll(async () => {
    await running.close()
    remove()
  })

  /** In a folder with the centre's certificates as it serves them, and those of the two people. */
  async function withCertificates<T>(
    files: Record<string, Uint8Array | string>,
    use: (run: Run) => T,
  ): Promise<T> {
    const certificates = {
      'root.pem': pem('CERTIFICATE', await bytesAt(`${running.url}/cert/root_rsa_2020.cer`)),
      'centre.pem': pem('CERTIFICATE', await bytesAt(`${running.url}/cert/nca_rsa_2022.cer`)),
      'person.pem': pem('CERTIFICATE', person.certificate.der),
      'revoked.pem': pem('CERTIFICATE', revoked.certificate.der),
    }
    return openssl({ ...certificates, ...files }, use)
  }

  test('verifies the chain of each certificate, with the lists of both centres checked', async () => {
    const lists = {
      'root.crl': pem('X509 CRL', await bytesAt(`${running.url}/crl/rsa2020.crl`)),
      'centre.crl': pem('X509 CRL', await bytesAt(`${running.url}/crl/nca_rsa_2022.crl`)),
    }
    await withCertificates(lists, (run) => {
      const chain = ['-CAfile', 'root.pem', '-untrusted', 'centre.pem', '-x509_strict']
      const listed = ['-crl_check_all', '-CRLfile', 'root.crl', '-CRLfile', 'centre.crl']
      const verified = (name: string) => run('verify', ...chain, ...listed, `${name}.pem`).output
      expect(verified('person')).toContain('person.pem: OK')
      expect(verified('revoked')).toContain('certificate revoked')
    })
  })

  test('reads full and delta lists, signed by the centre', async () => {
    const lists = {
      full: await bytesAt(`${running.url}/crl/nca_rsa_2022.crl`),
      delta: await bytesAt(`${running.url}/crl/nca_d_rsa_2022.crl`),
    }
    await withCertificates(lists, (run) => {
      for (const name of ['full', 'delta']) {
        const { output } = run(
          'crl',
          '-inform',
          'DER',
          '-in',
          name,
          '-CAfile',
          'centre.pem',
          '-noout',
          '-text',
        )
        expect(output).toContain('verify OK')
        expect(output).toContain('Superseded')
        expect(output.includes('X509v3 Delta CRL Indicator: critical')).toBe(name === 'delta')
      }
    })
  })

  /** The response contains the responder's certificate, but not that of its centre. */
  const trust = ['-CAfile', 'root.pem', '-verify_other', 'centre.pem']

  test('asks by OCSP and accepts the answer', async () => {
    const about = ['-sha256', '-issuer', 'centre.pem', '-cert', 'person.pem', '-cert', 'revoked.pem']
    const question = await withCertificates({}, (run) => {
      const asked = run('ocsp', ...about, '-no_nonce', '-reqout', 'question')
      return asked.file('question')
    })
    const answer = await post(`${running.url}/ocsp`, 'application/ocsp-request', question)
    await withCertificates({ question, answer }, (run) => {
      const { output } = run('ocsp', '-reqin', 'question', '-respin', 'answer', ...trust, ...about)
      expect(output).toContain('Response verify OK')
      expect(output).toContain('person.pem: good')
      expect(output).toContain('revoked.pem: revoked')
      expect(output).toContain('Reason: superseded')
    })
  })

  test('gets its nonce back, and accepts no answer from anybody else', async () => {
    const about = ['-issuer', 'centre.pem', '-cert', 'person.pem']
    const question = await withCertificates({}, (run) => {
      const asked = run('ocsp', ...about, '-nonce', '-reqout', 'question')
      return asked.file('question')
    })
    const ask = () => post(`${running.url}/ocsp`, 'application/ocsp-request', question)
    const right = await ask()
    running.faults.set({ ocsp: 'wrong-signer' })
    const wrong = await ask()
    running.faults.set({ ocsp: 'ok' })
    await withCertificates({ question, right, wrong }, (run) => {
      const read = (name: string) =>
        run('ocsp', '-reqin', 'question', '-respin', name, ...trust, '-resp_text').output
      const believed = read('right')
      expect(believed).toContain('Response verify OK')
      expect(believed).toContain('OCSP Nonce')
      expect(believed).not.toContain('WARNING: no nonce')
      expect(read('wrong')).toContain('Response Verify Failure')
    })
  })

  test('gets a timestamp and verifies it', async () => {
    const policy = ['-tspolicy', '1.2.398.3.3.2.6.2']
    const question = await withCertificates({ document }, (run) => {
      const args = ['-query', '-data', 'document', '-sha256', '-cert', ...policy, '-out', 'question']
      return run('ts', ...args).file('question')
    })
    const answer = await post(`${running.url}/tsp`, 'application/timestamp-query', question)
    await withCertificates({ question, answer, document }, (run) => {
      const chain = ['-CAfile', 'root.pem', '-untrusted', 'centre.pem']
      for (const what of [
        ['-queryfile', 'question'],
        ['-data', 'document'],
      ]) {
        expect(run('ts', '-verify', ...what, '-in', 'answer', ...chain).output).toContain('Verification: OK')
      }
    })
  })

  test('opens the file of keys, and the key is the one of the certificate', async () => {
    await withCertificates({ 'keys.p12': person.p12 }, (run) => {
      const opened = run(
        'pkcs12',
        '-in',
        'keys.p12',
        '-passin',
        `pass:${password}`,
        '-noenc',
        '-out',
        'keys.pem',
      )
      expect(opened.output).toBe('')
      const ofKey = run('pkey', '-in', 'keys.pem', '-pubout').output
      expect(ofKey).toContain('BEGIN PUBLIC KEY')
      expect(run('x509', '-in', 'person.pem', '-noout', '-pubkey').output).toBe(ofKey)
      expect(run('pkcs12', '-in', 'keys.p12', '-passin', 'pass:Other123', '-noout').isDone).toBe(false)
    })
  })

  test('reads the names and uses of a GOST certificate', async () => {
    const { certificate } = await running.centre.issue(anOrder({ organization: anOrganization }))
    await withCertificates({ gost: certificate.der }, (run) => {
      const { output } = run('x509', '-inform', 'DER', '-in', 'gost', '-noout', '-text', '-nameopt', 'utf8')
      for (const expected of [
        'CN=ТЕСТОВ ТЕСТ',
        'serialNumber=IIN123456789011',
        'OU=BIN123456789021',
        'GN=ТЕСТОВИЧ',
        'Digital Signature, Non Repudiation, Key Agreement',
        'E-mail Protection, 1.2.398.3.3.4.1.2, 1.2.398.3.3.4.1.2.1',
        `OCSP - URI:${running.url}/ocsp`,
      ]) {
        expect(output).toContain(expected)
      }
    })
  })
})
