import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const production = {
  MODE: 'production',
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://kelisim.kz',
  SMTP_URL: 'smtp://mail.example.kz',
  SUPPORT_EMAIL: 'help@example.kz',
  MAIL_FROM: 'Келісім <no-reply@example.kz>',
  TRUST_ROOTS_DIR: '/etc/kelisim/roots',
}

test('with no variable set, the product runs as a demo with the embedded database and sign-in service', () => {
  expect(readConfig({})).toMatchObject({
    isDemo: true,
    port: 3000,
    databaseUrl: undefined,
    smtpUrl: undefined,
    oidc: undefined,
    logLevel: 'warn',
  })
  expect(readConfig({}).publicUrl.href).toBe('http://localhost:3000/')
  expect(readConfig({ PORT: '8080' }).publicUrl.href).toBe('http://localhost:8080/')
})

test('an empty variable counts as not set', () => {
  const empty = { DATABASE_URL: '', SMTP_URL: '', PUBLIC_URL: '', OIDC_ISSUER: '', NODE_ENV: '' }
  expect(readConfig(empty)).toMatchObject({ isDemo: true, databaseUrl: undefined, oidc: undefined })
})

test('facts about the operator come from the configuration only and are empty without it', () => {
  const nothing = { name: '', bin: '', address: '', phones: [], socialLinks: [], companies: null }
  expect(readConfig(production).operator).toEqual(nothing)
  expect(
    readConfig({
      ...production,
      OPERATOR_NAME: 'ТОО «Орман»',
      OPERATOR_BIN: '260940001111',
      OPERATOR_ADDRESS: 'Астана, пр. Мәңгілік Ел, 1',
      OPERATOR_PHONES: '+7 717 200 00 00, 8 800 080 00 00',
      OPERATOR_SOCIAL_LINKS: 'https://t.me/orman',
      OPERATOR_COMPANIES: '12500',
    }).operator,
  ).toEqual({
    name: 'ТОО «Орман»',
    bin: '260940001111',
    address: 'Астана, пр. Мәңгілік Ел, 1',
    phones: ['+7 717 200 00 00', '8 800 080 00 00'],
    socialLinks: [new URL('https://t.me/orman')],
    companies: 12_500,
  })
  const { SUPPORT_EMAIL: _, ...withoutAddress } = production
  expect(() => readConfig(withoutAddress)).toThrow('SUPPORT_EMAIL must be set in production')
  const { MAIL_FROM: __, ...withoutSender } = production
  expect(() => readConfig(withoutSender)).toThrow('MAIL_FROM must be set in production')
  expect(readConfig({}).mailFrom).toBe('Келісім <no-reply@kelisim.kz>')
})

test('production starts with a complete configuration', () => {
  expect(readConfig({ ...production, TRUST_PROXY: '1' })).toMatchObject({ isDemo: false, trustProxy: 1 })
})

describe('each wrong variable is named', () => {
  test.each([
    ['MODE', 'test'],
    ['PORT', 'x'],
    ['OPERATOR_PHONES', 'call us'],
    ['OPERATOR_SOCIAL_LINKS', 't.me/orman'],
    ['OPERATOR_COMPANIES', 'many'],
    ['PORT', '70000'],
    ['PORT', '1.5'],
    ['PUBLIC_URL', 'kelisim.kz'],
    ['PUBLIC_URL', 'ftp://kelisim.kz'],
    ['PUBLIC_URL', 'https://kelisim.kz/app'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '-1'],
    ['DATABASE_URL', 'mysql://x'],
    ['SMTP_URL', 'http://x'],
    ['OIDC_ISSUER', 'issuer'],
    ['ADMIN_PORTAL_URL', 'portal'],
    ['LOG_LEVEL', 'loud'],
    ['OPERATORS', 'aigerim'],
    ['OPERATORS', 'a@b.kz, 12345'],
    ['METRICS_TOKEN', 'short'],
    ['PKI_OCSP_URL', 'ocsp.pki.gov.kz'],
    ['PKI_OCSP_URL', 'http://user:word@ocsp.pki.gov.kz'],
    ['PKI_TSP_URL', 'ldap://tsp.pki.gov.kz'],
    ['PKI_CRL_URLS', 'http://crl.pki.gov.kz/a.crl, b.crl'],
    ['PKI_PRIVATE_HOSTS', 'ocsp.inside'],
    ['PKI_PRIVATE_HOSTS', 'http://ocsp.inside:80'],
    ['PKI_PRIVATE_HOSTS', 'ocsp.inside:99999'],
    ['PKI_PRIVATE_HOSTS', 'ocsp.inside:80/path'],
    ['PKI_PRIVATE_HOSTS', '10.0.0.0/8'],
  ])('%s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} `, 'm'))
  })

  test('with its position, when the value is one of a list', () => {
    expect(() => readConfig({ PKI_PRIVATE_HOSTS: '10.0.0.5:80,ocsp.inside' })).toThrow(
      'PKI_PRIVATE_HOSTS must be host:port, several separated by commas (number 2 of the list)',
    )
  })

  test('all of them at once, a line each', () => {
    expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'loud' })).toThrow(/^PORT .*\nLOG_LEVEL /)
  })
})

describe('a real installation is not opened as a demo by forgetting MODE', () => {
  test.each([
    { PUBLIC_URL: 'https://edo.company.kz' },
    { DATABASE_URL: 'postgres://db.company.kz/kelisim' },
    { SMTP_URL: 'smtp://mail.company.kz' },
  ])('%o', (settings) => {
    expect(() => readConfig(settings)).toThrow(/^MODE must be set/)
    expect(readConfig({ ...settings, MODE: 'demo' }).isDemo).toBe(true)
  })

  test('the demo listens to this machine alone, production to all', () => {
    expect(readConfig({}).host).toBe('localhost')
    expect(readConfig(production).host).toBe('0.0.0.0')
    expect(readConfig({ HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
  })
})

test.each([
  ['OIDC_ISSUER', { OIDC_ISSUER: 'http://id.company.kz', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://db.company.kz/x?sslmode=disable' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://db.company.kz/x' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://10.0.0.7/x' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://localhost/x?host=db.company.kz' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://db.company.kz/x?sslmode=no-verify' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://db.company.kz/x?sslmode=require&uselibpqcompat=true' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://db.company.kz/x?host=' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://localhost/x?host=localhost&host=db.company.kz' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://db.company.kz/x?sslmode=verify-full&sslmode=disable' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://db.company.kz/x?sslmode=verify-full&sslmode=no-verify' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://db.company.kz/x?ssl=no-verify' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://db.company.kz/x?ssl=0' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://134744072/x' }],
  [
    'DATABASE_URL cannot be used:',
    { DATABASE_URL: 'postgres://db.company.kz/x?sslmode=verify-full&sslrootcert=/nowhere/ca.pem' },
  ],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://database/x?sslmode=no-verify' }],
  [
    'DATABASE_DIRECT_URL',
    {
      DATABASE_URL: 'postgres://db.company.kz/x?sslmode=verify-full',
      DATABASE_DIRECT_URL: 'postgres://direct.company.kz/x',
    },
  ],
  ['S3_URL', { S3_URL: 'http://s3.company.kz/a', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://user:word@kelisim.kz' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://kelisim.kz/?x=1' }],
])('production refuses an unsafe %s', (name, settings) => {
  expect(() => readConfig({ ...production, ...settings })).toThrow(new RegExp(`^${name} `, 'm'))
})

test.each([
  'postgres://db.company.kz/x?sslmode=verify-full',
  'postgres://db.company.kz/x?sslmode=verify-full&uselibpqcompat=true',
  'postgres://localhost/x',
  'postgres://[::1]/x',
  'postgres://db.company.kz/x?host=::1',
  'postgres://127.0.0.1/x',
  'postgres://database/x',
  'postgres:///x?host=/var/run/postgresql',
  'postgres://%2Fvar%2Frun%2Fpostgresql/x',
])('production takes the database at %s', (DATABASE_URL) => {
  expect(readConfig({ ...production, DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
})

describe('variables that contradict each other', () => {
  test.each([
    ['a demo in production', { NODE_ENV: 'production' }, /MODE is demo while NODE_ENV is production/],
    ['production without an address', { ...production, PUBLIC_URL: '' }, /PUBLIC_URL must be set/],
    [
      'production over plain http',
      { ...production, PUBLIC_URL: 'http://kelisim.kz' },
      /PUBLIC_URL must be https/,
    ],
    ['production without roots', { ...production, TRUST_ROOTS_DIR: '' }, /TRUST_ROOTS_DIR must be set/],
    [
      'a stand-in in production',
      { ...production, PHONE_URL: 'http://localhost:1' },
      /PHONE_URL is for the demo/,
    ],
    ['a signer that is none', { SIGNER_URL: 'http://localhost' }, /SIGNER_URL must be a ws/],
    ['production without mail', { ...production, SMTP_URL: '' }, /SMTP_URL must be set/],
    [
      'an issuer without a client',
      { OIDC_ISSUER: 'https://id.kz' },
      /OIDC_CLIENT_ID, OIDC_CLIENT_SECRET must be set too/,
    ],
    [
      'a storage without keys',
      { S3_URL: 'https://s3.kz/a' },
      /S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY must be/,
    ],
    ['a secret alone', { OIDC_CLIENT_SECRET: 's' }, /OIDC_ISSUER, OIDC_CLIENT_ID must be set too/],
  ])('%s', (_, environment, message) => expect(() => readConfig(environment)).toThrow(message))

  test('a complete set of the three OIDC variables is accepted', () => {
    const oidc = { OIDC_ISSUER: 'https://id.kz', OIDC_CLIENT_ID: 'kelisim', OIDC_CLIENT_SECRET: 's' }
    expect(readConfig(oidc).oidc).toMatchObject({ clientId: 'kelisim', clientSecret: 's' })
  })

  test('production may be tried at home over plain http', () => {
    expect(readConfig({ ...production, PUBLIC_URL: 'http://localhost:3000' }).isDemo).toBe(false)
  })
})

describe('the services of the certification centre', () => {
  test('default to those named in certificates and the national timestamp service, none in the demo', () => {
    const { pki } = readConfig(production)
    expect(pki).toMatchObject({ ocspUrl: undefined, crlUrls: [], privateHosts: [] })
    expect(pki.tspUrl?.href).toBe('http://tsp.pki.gov.kz/')
    expect(readConfig({}).pki.tspUrl).toBeUndefined()
  })

  test('are taken from the configuration, lists separated by commas or spaces', () => {
    const { pki } = readConfig({
      PKI_OCSP_URL: 'http://test.pki.gov.kz/ocsp/',
      PKI_TSP_URL: 'http://10.0.0.5:8318/tsp',
      PKI_CRL_URLS: 'http://test.pki.gov.kz/a.crl, http://test.pki.gov.kz/b.crl',
      PKI_PRIVATE_HOSTS: '0xa.5:8318 [0::1]:80,OCSP.inside:443',
    })
    expect(pki.ocspUrl?.href).toBe('http://test.pki.gov.kz/ocsp/')
    expect(pki.crlUrls.map((url) => url.pathname)).toEqual(['/a.crl', '/b.crl'])
    expect(pki.privateHosts).toEqual(['10.0.0.5:8318', '[::1]:80', 'ocsp.inside:443'])
  })

  test.each([
    ['PKI_OCSP_URL', 'http://localhost:9000/ocsp', 'localhost:9000'],
    ['PKI_TSP_URL', 'http://10.0.0.5/', '10.0.0.5:80'],
    ['PKI_CRL_URLS', 'https://[fd00::1]/a.crl', '[fd00::1]:443'],
  ])('in a private network must be listed in PKI_PRIVATE_HOSTS: %s=%s', (name, value, host) => {
    expect(() => readConfig({ [name]: value })).toThrow(`add ${host} to PKI_PRIVATE_HOSTS`)
    expect(() => readConfig({ [name]: value, PKI_PRIVATE_HOSTS: host })).not.toThrow()
  })
})
