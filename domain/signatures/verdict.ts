/**
 * Judges a signature. The engine (signature/examination) reports faults and decides nothing; this file decides, and
 * does not know CMS, OCSP or the clock. Verdicts are those of ETSI EN 319 102-1:
 *
 *   TOTAL-FAILED    something is proved to be wrong, and no further evidence can change that
 *   INDETERMINATE   not proved to be right: evidence is missing, or contradicts it without proof of the time
 *   TOTAL-PASSED    no fault was found
 *
 * Only what passed is accepted. Of the rest, TRY_LATER is worth checking again.
 */

export const indications = ['TOTAL-PASSED', 'TOTAL-FAILED', 'INDETERMINATE'] as const
export type Indication = (typeof indications)[number]

const failed = (subIndication: string) => ({ indication: 'TOTAL-FAILED', subIndication }) as const
const unclear = (subIndication: string) => ({ indication: 'INDETERMINATE', subIndication }) as const

/** The faults in the order in which they are reported: a person is told the first one of the gravest verdict. */
const table = {
  // the container
  'not-a-signature': ['DS-101', failed('FORMAT_FAILURE')],
  damaged: ['DS-102', failed('FORMAT_FAILURE')],
  'too-much': ['DS-103', failed('FORMAT_FAILURE')],
  'no-signers': ['DS-104', failed('FORMAT_FAILURE')],
  'signed-twice': ['DS-105', failed('FORMAT_FAILURE')],
  'not-a-document': ['DS-106', failed('FORMAT_FAILURE')],
  'attributes-wrong': ['DS-107', failed('FORMAT_FAILURE')],
  'range-wrong': ['DS-108', failed('FORMAT_FAILURE')],
  'pdf-damaged': ['DS-109', failed('FORMAT_FAILURE')],
  'pdf-encrypted': ['DS-110', unclear('FORMAT_FAILURE')],
  'pdf-form-unknown': ['DS-111', unclear('FORMAT_FAILURE')],
  'xml-damaged': ['DS-112', failed('FORMAT_FAILURE')],
  'xml-wrapped': ['DS-113', failed('FORMAT_FAILURE')],
  'xml-transform-refused': ['DS-114', failed('FORMAT_FAILURE')],
  'xml-reference-outside': ['DS-115', unclear('FORMAT_FAILURE')],
  'xml-commented': ['DS-118', unclear('FORMAT_FAILURE')],
  'record-damaged': ['DS-116', failed('FORMAT_FAILURE')],
  'record-form-unknown': ['DS-117', unclear('FORMAT_FAILURE')],
  // the document
  'other-document-attached': ['DS-201', failed('HASH_FAILURE')],
  'other-document': ['DS-202', failed('HASH_FAILURE')],
  'changed-after-signing': ['DS-204', failed('HASH_FAILURE')],
  'record-of-other': ['DS-206', failed('HASH_FAILURE')],
  'record-broken': ['DS-207', failed('HASH_FAILURE')],
  'document-missing': ['DS-203', unclear('SIGNED_DATA_NOT_FOUND')],
  'document-not-signed': ['DS-205', unclear('SIGNED_DATA_NOT_FOUND')],
  // the signature itself
  'unfit-algorithm': ['DS-301', failed('SIG_CRYPTO_FAILURE')],
  'wrong-signature': ['DS-302', failed('SIG_CRYPTO_FAILURE')],
  'record-forged': ['DS-308', failed('SIG_CRYPTO_FAILURE')],
  'bad-key': ['DS-303', unclear('CRYPTO_CONSTRAINTS_FAILURE')],
  'weak-algorithm': ['DS-304', unclear('CRYPTO_CONSTRAINTS_FAILURE')],
  'unknown-algorithm': ['DS-305', unclear('CRYPTO_CONSTRAINTS_FAILURE')],
  'attributes-missing': ['DS-306', unclear('SIG_CONSTRAINTS_FAILURE')],
  'counter-signature-wrong': ['DS-307', unclear('SIG_CONSTRAINTS_FAILURE')],
  // the signer's certificate and its chain
  'certificate-not-yet-valid': ['DS-401', failed('NOT_YET_VALID')],
  'certificate-missing': ['DS-402', unclear('NO_SIGNING_CERTIFICATE_FOUND')],
  'certificate-other': ['DS-403', unclear('NO_SIGNING_CERTIFICATE_FOUND')],
  'certificate-not-bound': ['DS-404', unclear('SIG_CONSTRAINTS_FAILURE')],
  'certificate-damaged': ['DS-405', unclear('CERTIFICATE_CHAIN_GENERAL_FAILURE')],
  'issuer-unknown': ['DS-406', unclear('NO_CERTIFICATE_CHAIN_FOUND')],
  'chain-broken': ['DS-407', unclear('CERTIFICATE_CHAIN_GENERAL_FAILURE')],
  'chain-too-complex': ['DS-408', unclear('CERTIFICATE_CHAIN_GENERAL_FAILURE')],
  'issuer-not-entitled': ['DS-409', unclear('CHAIN_CONSTRAINTS_FAILURE')],
  'chain-constrained': ['DS-410', unclear('CHAIN_CONSTRAINTS_FAILURE')],
  'chain-weak': ['DS-411', unclear('CRYPTO_CONSTRAINTS_FAILURE')],
  'certificate-not-for-signing': ['DS-412', unclear('CHAIN_CONSTRAINTS_FAILURE')],
  // revocation comes before validity dates: a certificate that was revoked and then expired counts as revoked
  'revoked-by-ocsp': ['DS-501', unclear('REVOKED_NO_POE')],
  'revoked-by-crl': ['DS-502', unclear('REVOKED_NO_POE')],
  'on-hold': ['DS-503', unclear('TRY_LATER')],
  'issuer-revoked': ['DS-504', unclear('REVOKED_CA_NO_POE')],
  'certificate-expired': ['DS-413', unclear('OUT_OF_BOUNDS_NO_POE')],
  'issuer-expired': ['DS-414', unclear('OUT_OF_BOUNDS_NO_POE')],
  // timestamps
  'timestamp-missing': ['DS-601', unclear('SIG_CONSTRAINTS_FAILURE')],
  'timestamp-damaged': ['DS-602', unclear('SIG_CONSTRAINTS_FAILURE')],
  'timestamp-of-other': ['DS-603', unclear('SIG_CONSTRAINTS_FAILURE')],
  'timestamp-wrong-signature': ['DS-604', unclear('SIG_CONSTRAINTS_FAILURE')],
  'timestamp-untrusted': ['DS-605', unclear('SIG_CONSTRAINTS_FAILURE')],
  'timestamp-from-future': ['DS-606', unclear('TIMESTAMP_ORDER_FAILURE')],
  // timestamps of evidence records
  'record-disordered': ['DS-610', failed('FORMAT_FAILURE')],
  'record-weak': ['DS-611', unclear('CRYPTO_CONSTRAINTS_FAILURE_NO_POE')],
  'record-late': ['DS-612', unclear('OUT_OF_BOUNDS_NO_POE')],
  'record-expired': ['DS-613', unclear('OUT_OF_BOUNDS_NO_POE')],
  // the time that the signer claims
  'signing-time-outside-certificate': ['DS-608', unclear('SIG_CONSTRAINTS_FAILURE')],
  'signing-time-after-receipt': ['DS-609', unclear('SIG_CONSTRAINTS_FAILURE')],
  // the owner of the signature
  'iin-not-given': ['DS-701', unclear('SIG_CONSTRAINTS_FAILURE')],
  'bin-not-given': ['DS-702', unclear('SIG_CONSTRAINTS_FAILURE')],
  'iin-not-in-certificate': ['DS-703', unclear('SIG_CONSTRAINTS_FAILURE')],
  'bin-not-in-certificate': ['DS-704', unclear('SIG_CONSTRAINTS_FAILURE')],
  'certificate-not-for-login': ['DS-707', unclear('CHAIN_CONSTRAINTS_FAILURE')],
  'not-entitled-for-organization': ['DS-708', unclear('SIG_CONSTRAINTS_FAILURE')],
  'not-head-of-organization': ['DS-710', unclear('SIG_CONSTRAINTS_FAILURE')],
  'power-not-in-force': ['DS-711', unclear('SIG_CONSTRAINTS_FAILURE')],
  'power-out-of-scope': ['DS-712', unclear('SIG_CONSTRAINTS_FAILURE')],
  'other-person': ['DS-705', unclear('SIG_CONSTRAINTS_FAILURE')],
  'other-organization': ['DS-706', unclear('SIG_CONSTRAINTS_FAILURE')],
  'given-by-another': ['DS-709', unclear('SIG_CONSTRAINTS_FAILURE')],
  'used-before': ['DS-713', unclear('SIG_CONSTRAINTS_FAILURE')],
  // the log, and with it the history of an evidence bundle
  'log-key-unknown': ['DS-905', unclear('NO_POE')],
  'witnesses-too-few': ['DS-906', unclear('NO_POE')],
  // what may become known later
  'revocation-stale': ['DS-505', unclear('TRY_LATER')],
  'ocsp-untrusted': ['DS-506', unclear('TRY_LATER')],
  'crl-untrusted': ['DS-507', unclear('TRY_LATER')],
  'ocsp-knows-not': ['DS-508', unclear('TRY_LATER')],
  'revocation-unknown': ['DS-509', unclear('TRY_LATER')],
  'issuer-revocation-unknown': ['DS-510', unclear('TRY_LATER')],
  'revocation-before-signature': ['DS-511', unclear('TRY_LATER')],
  'timestamp-revocation-unknown': ['DS-607', unclear('TRY_LATER')],
  'ocsp-unreachable': ['DS-901', unclear('TRY_LATER')],
  'crl-unreachable': ['DS-902', unclear('TRY_LATER')],
  'timestamp-unreachable': ['DS-903', unclear('TRY_LATER')],
  'check-overdue': ['DS-904', unclear('TRY_LATER')],
} as const satisfies Record<string, readonly [string, { indication: Indication; subIndication: string }]>

export type Fault = keyof typeof table
export type FaultCode = (typeof table)[Fault][0]
export type SubIndication = (typeof table)[Fault][1]['subIndication']

export const faults = Object.keys(table) as Fault[]

export type Verdict = {
  verdict: Indication
  subIndication: SubIndication | null
  code: FaultCode | null
}

const passed: Verdict = { verdict: 'TOTAL-PASSED', subIndication: null, code: null }

/** The verdict on one signer. */
export function judge(found: readonly Fault[]): Verdict {
  return worst(faults.filter((fault) => found.includes(fault)).map(verdictOf))
}

export function verdictOf(fault: Fault): Verdict {
  const [code, { indication, subIndication }] = table[fault]
  return { verdict: indication, subIndication, code }
}

/** The verdict on a signature of several signers: the worst of them. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  return (
    verdicts.find(({ verdict }) => verdict === 'TOTAL-FAILED') ??
    verdicts.find(({ verdict }) => verdict === 'INDETERMINATE') ??
    passed
  )
}
