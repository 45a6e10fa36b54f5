/**
 * The three national hierarchies, one for each kind of key. Names and numbers follow the real ones; every name begins
 * with a word that no real certificate has.
 *
 *   root ── national centre ──┬── people
 *                             ├── OCSP responder
 *                             └── timestamps (not with keys of 2004: refused since 2025)
 */
export type FamilyKind = 'gost-kz-512' | 'gost-kz-2004' | 'rsa'

export const familyKinds: readonly FamilyKind[] = ['gost-kz-512', 'gost-kz-2004', 'rsa']

export type FamilyProfile = {
  root: AuthorityNames
  centre: AuthorityNames & { delta: string; pathLength?: number }
  /** The policy of its timestamps; null where it issues none. */
  timestampPolicy: string | null
  /** The prefix of a person's key file, before the key's identifier. */
  files: { signature: string; authentication: string | null }
  /** The newer centre orders the fields differently from the older ones and leaves a few out. */
  style: 'of-2022' | 'older'
}

type AuthorityNames = {
  commonName: string
  /** The file name of its certificate, without .cer. */
  file: string
  /** The file name of its CRL, without .crl. */
  list: string
  notBefore: Date
  notAfter: Date
}

export const demoPrefix = 'ДЕМО'
const rootName = `${demoPrefix} НЕГІЗГІ КУӘЛАНДЫРУШЫ ОРТАЛЫҚ`
export const centreName = `${demoPrefix} ҰЛТТЫҚ КУӘЛАНДЫРУШЫ ОРТАЛЫҚ`

export const families: Record<FamilyKind, FamilyProfile> = {
  'gost-kz-512': {
    root: {
      commonName: `${rootName} (GOST) 2022`,
      file: 'root_gost_2022',
      list: 'gost2015_2022',
      notBefore: new Date('2022-06-15T04:56:12Z'),
      notAfter: new Date('2045-09-08T04:56:12Z'),
    },
    centre: {
      commonName: `${centreName} (GOST) 2022`,
      file: 'nca_gost_2022',
      list: 'nca_gost_2022',
      delta: 'nca_d_gost_2022',
      notBefore: new Date('2022-06-15T05:01:09Z'),
      notAfter: new Date('2045-09-07T05:01:09Z'),
    },
    timestampPolicy: '1.2.398.3.3.2.6.4',
    // one key serves for signing and for signing in
    files: { signature: 'GOST512', authentication: 'GOST512' },
    style: 'of-2022',
  },
  'gost-kz-2004': {
    root: {
      commonName: `${rootName} (GOST) 2020`,
      file: 'root_gost_2020',
      list: 'gost2020',
      notBefore: new Date('2020-09-08T10:04:54Z'),
      notAfter: new Date('2045-09-08T10:04:54Z'),
    },
    centre: {
      commonName: `${centreName} (GOST) 2020`,
      file: 'nca_gost_2020',
      list: 'nca_gost_2020',
      delta: 'nca_d_gost_2020',
      notBefore: new Date('2020-09-22T10:38:15Z'),
      notAfter: new Date('2045-09-07T10:04:54Z'),
    },
    timestampPolicy: null,
    // people then signed in with their RSA keys
    files: { signature: 'GOSTKNCA', authentication: null },
    style: 'older',
  },
  rsa: {
    root: {
      commonName: `${rootName} (RSA) 2020`,
      file: 'root_rsa_2020',
      list: 'rsa2020',
      notBefore: new Date('2020-09-08T10:04:54Z'),
      notAfter: new Date('2045-09-08T10:04:54Z'),
    },
    centre: {
      commonName: `${centreName} (RSA) 2022`,
      file: 'nca_rsa_2022',
      list: 'nca_rsa_2022',
      delta: 'nca_d_rsa_2022',
      pathLength: 0,
      notBefore: new Date('2022-09-22T10:38:15Z'),
      notAfter: new Date('2045-09-07T10:04:54Z'),
    },
    timestampPolicy: '1.2.398.3.3.2.6.2',
    files: { signature: 'RSA256', authentication: 'AUTH_RSA256' },
    style: 'older',
  },
}

export const ocspPath = '/ocsp'
export const tspPath = '/tsp'
export const listPath = (name: string) => `/crl/${name}.crl`
export const certificatePath = (name: string) => `/cert/${name}.cer`
