import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const production = {
  MODE: 'production',
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://kelisim.kz',
  SMTP_URL: 'smtp://mail.example.kz',
}

test('with nothing set, the product runs as a demo on its own database and sign-in service', () => {
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

test('an empty variable is one that is not set', () => {
  const empty = { DATABASE_URL: '', SMTP_URL: '', PUBLIC_URL: '', OIDC_ISSUER: '', NODE_ENV: '' }
  expect(readConfig(empty)).toMatchObject({ isDemo: true, databaseUrl: undefined, oidc: undefined })
})

test('production takes what it needs', () => {
  expect(readConfig({ ...production, TRUST_PROXY: '1' })).toMatchObject({ isDemo: false, trustProxy: 1 })
})

describe('each wrong variable is named', () => {
  test.each([
    ['MODE', 'test'],
    ['PORT', 'x'],
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
  ])('%s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} `, 'm'))
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
  ['PUBLIC_URL', { PUBLIC_URL: 'https://user:word@kelisim.kz' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://kelisim.kz/?x=1' }],
])('production refuses an unsafe %s', (name, settings) => {
  expect(() => readConfig({ ...production, ...settings })).toThrow(new RegExp(`^${name} `, 'm'))
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
    ['production without mail', { ...production, SMTP_URL: '' }, /SMTP_URL must be set/],
    [
      'an issuer without a client',
      { OIDC_ISSUER: 'https://id.kz' },
      /OIDC_CLIENT_ID, OIDC_CLIENT_SECRET must be set too/,
    ],
    ['a secret alone', { OIDC_CLIENT_SECRET: 's' }, /OIDC_ISSUER, OIDC_CLIENT_ID must be set too/],
  ])('%s', (_, environment, message) => expect(() => readConfig(environment)).toThrow(message))

  test('a complete set of the three is taken', () => {
    const oidc = { OIDC_ISSUER: 'https://id.kz', OIDC_CLIENT_ID: 'kelisim', OIDC_CLIENT_SECRET: 's' }
    expect(readConfig(oidc).oidc).toMatchObject({ clientId: 'kelisim', clientSecret: 's' })
  })

  test('production may be tried at home over plain http', () => {
    expect(readConfig({ ...production, PUBLIC_URL: 'http://localhost:3000' }).isDemo).toBe(false)
  })
})
