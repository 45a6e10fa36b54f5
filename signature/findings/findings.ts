/**
 * Everything that can be wrong with a signature, as the engine sees it. The consequences (a verdict, a code, a text)
 * are decided elsewhere.
 */
export const findings = [
  // the container
  'not-a-signature',
  'damaged',
  'too-much',
  'no-signers',
  'signed-twice',
  'not-a-document',
  'attributes-missing',
  'attributes-wrong',
  'counter-signature-wrong',
  // the XML that contains it
  'xml-damaged',
  'xml-wrapped',
  'xml-transform-refused',
  'xml-reference-outside',
  'xml-commented',
  // the PDF that contains it
  'pdf-damaged',
  'pdf-encrypted',
  'pdf-form-unknown',
  'range-wrong',
  'changed-after-signing',
  // the document
  'other-document',
  'other-document-attached',
  'document-missing',
  // the signature itself
  'wrong-signature',
  'weak-algorithm',
  'unknown-algorithm',
  'unfit-algorithm',
  'bad-key',
  // the signer's certificate
  'certificate-missing',
  'certificate-damaged',
  'certificate-not-bound',
  'certificate-other',
  'certificate-expired',
  'certificate-not-yet-valid',
  'certificate-not-for-signing',
  // its chain
  'issuer-unknown',
  'issuer-expired',
  'issuer-not-entitled',
  'chain-broken',
  'chain-constrained',
  'chain-weak',
  'chain-too-complex',
  // revocation
  'revoked-by-ocsp',
  'revoked-by-crl',
  'on-hold',
  'issuer-revoked',
  'revocation-unknown',
  'issuer-revocation-unknown',
  'revocation-stale',
  'revocation-before-signature',
  'ocsp-untrusted',
  'ocsp-knows-not',
  'crl-untrusted',
  'ocsp-unreachable',
  'crl-unreachable',
  // timestamps
  'timestamp-missing',
  'timestamp-damaged',
  'timestamp-of-other',
  'timestamp-wrong-signature',
  'timestamp-untrusted',
  'timestamp-from-future',
  'timestamp-revocation-unknown',
  // evidence records
  'record-damaged',
  'record-form-unknown',
  'record-of-other',
  'record-broken',
  'record-forged',
  'record-disordered',
  'record-weak',
  'record-late',
  'record-expired',
  // the time that the signer claims
  'signing-time-outside-certificate',
  'signing-time-after-receipt',
  // the log and its witnesses
  'log-key-unknown',
  'witnesses-too-few',
] as const

export type Finding = (typeof findings)[number]
