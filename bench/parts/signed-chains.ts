/**
 * Signatures with everything their check needs, each with its own certificates, so that our cache of certificates,
 * which OpenSSL does not have, never helps. Also written to files, so that the anchor reads the same bytes.
 *
 *   root ← centre ← signer   GOST 512 under Russian identifiers, because OpenSSL knows no others
 *             ↑
 *          responder         responds that the signer is not revoked
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { readCertificate, type Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { certIdOf, ocspOids } from '@kelisim/signature/revocation/ocsp.ts'
import { authority, extendedKeyUsage, keyUsage, makeName } from '@kelisim/signature/signer/extensions.ts'
import { makeCertificate, makeCertificateDer, type Party } from '@kelisim/signature/signer/issue.ts'
import { generateKey } from '@kelisim/signature/signer/keys.ts'
import { answerOcsp } from '@kelisim/signature/signer/ocsp-responder.ts'
import { signDigest } from '@kelisim/signature/signer/sign-cms.ts'

export type SignedChain = { cms: Uint8Array; centre: Uint8Array; ocsp: Uint8Array }

export type SignedChains = {
  folder: string
  content: Uint8Array
  root: Certificate
  chains: SignedChain[]
  remove: () => void
}

export async function makeSignedChains(content: Uint8Array, count: number): Promise<SignedChains> {
  const parties = { root: await party('root'), centre: await party('centre') }
  const people = { signer: await party('signer'), responder: await party('responder') }
  const rootDer = await makeCertificateDer({ ...parties.root, extensions: authority() })
  const digest = hash('streebog-512', content)
  const chains: SignedChain[] = []
  for (let number = 1; number <= count; number++) {
    chains.push(await makeChain(number, digest, { ...parties, ...people }))
  }
  const folder = written(rootDer, content, chains)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  return { folder, content, root: readCertificate(rootDer), chains, remove }
}

async function party(commonName: string): Promise<Party> {
  return { subject: makeName({ commonName, country: 'KZ' }), keys: await generateKey('gost-ru-512') }
}

async function makeChain(
  serial: number,
  digest: Uint8Array,
  { root, centre, signer, responder }: Record<'root' | 'centre' | 'signer' | 'responder', Party>,
): Promise<SignedChain> {
  const now = Date.now()
  const issuer = centre
  const centreCertificate = await makeCertificate({
    ...centre,
    issuer: root,
    serial,
    extensions: authority(),
  })
  const certificate = await makeCertificate({
    ...signer,
    issuer,
    serial: 2 * serial,
    extensions: [keyUsage('digitalSignature', 'nonRepudiation')],
  })
  const responderCertificate = await makeCertificate({
    ...responder,
    issuer,
    serial: 2 * serial + 1,
    extensions: [keyUsage('digitalSignature'), extendedKeyUsage([ocspOids.signing])],
  })
  const ocsp = await answerOcsp({
    responder,
    producedAt: new Date(now - 60_000),
    answers: [
      {
        question: certIdOf(certificate.serial, centreCertificate, 'sha-256'),
        status: 'good',
        thisUpdate: new Date(now - 60_000),
        nextUpdate: new Date(now + 24 * 60 * 60_000),
      },
    ],
    certificates: [responderCertificate.der],
  })
  const cms = await signDigest(digest, { key: signer.keys, certificate }, { signingTime: new Date(now) })
  return { cms, centre: centreCertificate.der, ocsp }
}

function written(root: Uint8Array, content: Uint8Array, chains: readonly SignedChain[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'kelisim-chains-'))
  writeFileSync(join(folder, 'root'), root)
  writeFileSync(join(folder, 'content'), content)
  for (const [i, chain] of chains.entries()) {
    for (const [kind, bytes] of Object.entries(chain)) writeFileSync(join(folder, `${i}.${kind}`), bytes)
  }
  return folder
}
