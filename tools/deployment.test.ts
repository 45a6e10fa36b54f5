/** The deployment files fit the product: alerts have runbooks and real metrics, settings match the configuration. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeFlags } from './node-flags.ts'
import { filesBelow, readJson, readText, root } from './source-files.ts'

const alertsText = readText('deploy/prometheus/alerts.yml')
const alerts = [...alertsText.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name!)
const runbooks = filesBelow('docs/runbooks', /\.md$/)

/** "LogBehind" is described in log-behind.md. */
const runbookOf = (alert: string) =>
  `docs/runbooks/${alert.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.md`

const reported = [...readText('server/operator/metrics.ts').matchAll(/'(kelisim_\w+)'/g)].map(
  ([, name]) => name!,
)
/** A histogram is reported as several series. */
const isReported = (metric: string) => reported.includes(metric.replace(/_(bucket|count|sum)$/, ''))
const metricsIn = (text: string) => [...new Set([...text.matchAll(/kelisim_\w+/g)].map(([name]) => name))]

describe('alerts', () => {
  test('each has a runbook of its name, and each runbook has an alert', () => {
    expect(alerts.length).toBeGreaterThan(10)
    expect(alerts.map(runbookOf).toSorted()).toEqual(runbooks.toSorted())
    const named = [...alertsText.matchAll(/runbook: (\S+)$/gm)].map(([, file]) => file!)
    expect(named).toEqual(alerts.map(runbookOf))
  })

  test('every runbook says what happened, what it means, where to look and what to do', () => {
    for (const file of runbooks) {
      const text = readText(file)
      for (const part of ['**What**', '**Means**', '## Look', '## Do']) expect(text, file).toContain(part)
      const links = [...text.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, link]) => `docs/runbooks/${link!}`)
      expect(
        links.filter((link) => !runbooks.includes(link)),
        file,
      ).toEqual([])
    }
  })

  test('runbooks quote only what the product writes into its log', () => {
    const sources = ['main.ts', ...['server', 'start', 'db'].flatMap((folder) => filesBelow(folder, /\.ts$/))]
    const written = sources.map(readText).join('\n')
    const quoted = runbooks.flatMap((file) =>
      [...readText(file).matchAll(/`((?:a|the) [a-z ]+)`/g)].map(([, message]) => message!),
    )
    expect(quoted.length).toBeGreaterThan(3)
    expect(quoted.filter((message) => !written.includes(`'${message}'`))).toEqual([])
  })

  test('alerts, runbooks and dashboards name only metrics that the product reports', () => {
    const texts = [alertsText, readText('deploy/grafana/kelisim.json'), ...runbooks.map(readText)]
    expect(metricsIn(texts.join('\n')).filter((metric) => !isReported(metric))).toEqual([])
  })

  test('every metric of the product is on the dashboard', () => {
    const shown = metricsIn(readText('deploy/grafana/kelisim.json')).map((name) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    )
    expect(reported.filter((metric) => !shown.includes(metric) && metric !== 'kelisim_info')).toEqual([])
  })
})

test('the dashboard is valid for Grafana', () => {
  const { panels } = readJson('deploy/grafana/kelisim.json') as {
    panels: { id: number; title: string; targets: { expr: string }[] }[]
  }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  for (const { title, targets } of panels) {
    expect(title).not.toBe('')
    expect(targets.length).toBeGreaterThan(0)
  }
})

describe('settings', () => {
  const known = new Set(
    [...readText('server/config.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name!),
  )

  test('.env.example lists every setting', () => {
    const listed = new Set(
      [...readText('.env.example').matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!),
    )
    expect([...known].filter((name) => !listed.has(name) && name !== 'NODE_ENV')).toEqual([])
  })

  test.each(['deploy/compose.yml', 'deploy/kubernetes/kelisim.yaml'])(
    '%s sets no unknown setting',
    (file) => {
      const text = readText(file)
      const product = text.slice(
        text.indexOf('MODE'),
        file.endsWith('compose.yml') ? text.indexOf('depends_on') : undefined,
      )
      const set = [
        ...product.matchAll(/^ +([A-Z][A-Z0-9_]+): /gm),
        ...product.matchAll(/name: ([A-Z][A-Z0-9_]+),/g),
      ].map(([, name]) => name!)
      expect(set.length).toBeGreaterThan(2)
      expect(set.filter((name) => !known.has(name))).toEqual([])
    },
  )
})

test('compose passes on everything from .env, and keeps its own settings', () => {
  const compose = readText('deploy/compose.yml')
  expect(compose).toMatch(/^ {4}env_file: \.env$/m)
  const asked = [...compose.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!)
  const told = compose.slice(0, compose.indexOf('services:')) + readText('.env.example')
  expect(asked.filter((name) => !told.includes(name) && name !== 'KELISIM_IMAGE')).toEqual([])
})

describe('headers sent by visitors are not taken for those of our proxy', () => {
  test.each([
    [
      'deploy/config/haproxy.cfg',
      ['http-request del-header traceparent', 'http-request set-header X-Request-Id'],
    ],
    ['deploy/config/Caddyfile', ['header_up -traceparent', 'header_up X-Request-Id']],
  ])('%s', (file, settings) => {
    for (const setting of settings) expect(readText(file)).toContain(setting)
  })
})

describe('Kubernetes', () => {
  const manifest = readText('deploy/kubernetes/kelisim.yaml')

  test('has every volume claim that a pod asks for', () => {
    const claimed = [...manifest.matchAll(/claimName: ([\w-]+)/g)].map(([, name]) => name!)
    expect(claimed.length).toBeGreaterThan(0)
    for (const name of claimed)
      expect(manifest).toMatch(new RegExp(`kind: PersistentVolumeClaim\nmetadata: \\{ name: ${name},`))
  })

  test('the key of the log is in no variable of the environment', () => {
    const [, inEnvironment] = /envFrom: \[\{ secretRef: \{ name: ([\w-]+) \} \}\]/.exec(manifest)!
    const [, ofKey] = /secretName: ([\w-]+)\n +items: \[\{ key: log-key\.pem/.exec(manifest)!
    expect(ofKey).not.toBe(inEnvironment)
  })

  test('each secret and config map that a pod asks for is one that the first lines say to create', () => {
    const [head] = manifest.split('apiVersion:')
    const asked = [
      ...manifest.matchAll(/(?:secretRef: \{ name: |secretName: |configMap: \{ name: )([\w-]+)/g),
    ]
    const missing = asked
      .map(([, name]) => name!)
      .filter((name) => !new RegExp(`(generic|configmap) ${name} `).test(head!))
    expect(missing).toEqual(['kelisim-tls'])
    for (const command of head!.split('\n').filter((line) => line.includes('secret generic')))
      expect(command.match(/--from-\w+/g), command).toHaveLength(1)
  })
})

test('units of systemd write only into their own state folder', () => {
  for (const unit of ['kelisim@.service', 'kelisim-backup.service']) {
    const text = readText(`deploy/systemd/${unit}`)
    const [, folder] = /^StateDirectory=(\w+)$/m.exec(text)!
    expect(text.indexOf(`Environment=DATA_DIR=/var/lib/${folder}`)).toBeGreaterThan(0)
  }
})

test('a new volume of the image belongs to the user that the product runs as', () => {
  const dockerfile = readText('deploy/Dockerfile')
  const [, owner] = /^USER (\d+:\d+)$/m.exec(dockerfile)!
  const owned = dockerfile.indexOf(`--chown=${owner} /empty /data`)
  expect(owned).toBeGreaterThan(0)
  expect(owned).toBeLessThan(dockerfile.indexOf('VOLUME'))
})

test('alerts and panels use only jobs that Prometheus is configured with', () => {
  const jobs = [...readText('deploy/prometheus/prometheus.yml').matchAll(/job_name: (\w+)/g)].map(
    ([, job]) => job,
  )
  const used = [alertsText, readText('deploy/grafana/kelisim.json')].join('\n').matchAll(/job=\\?"(\w+)\\?"/g)
  expect([...used].map(([, job]) => job!).filter((job) => !jobs.includes(job))).toEqual([])
})

test('the pooler sets the timeouts that the product requires', () => {
  const timeouts = [...readText('db/db.ts').matchAll(/(\w+_timeout): ([\d_]+)/g)].map(
    ([, name, value]) => `set ${name} = ${Number(value!.replaceAll('_', ''))}`,
  )
  expect(timeouts).toHaveLength(3)
  const [query] = /connect_query='[^']+'/.exec(readText('deploy/config/pgbouncer.ini'))!
  for (const one of timeouts) expect(query).toContain(one)
})

test('every file that the deployment starts exists', () => {
  const started = [
    'deploy/Dockerfile',
    'deploy/kubernetes/kelisim.yaml',
    'deploy/systemd/kelisim-backup.service',
  ].flatMap((file) =>
    [...readText(file).matchAll(/(?:scripts\/[\w/-]+|\bmain)\.(?:ts|mjs)\b/g)].map(([path]) => path),
  )
  expect(new Set(started).size).toBeGreaterThan(2)
  expect(started.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('Patroni holds its lock by the interface of etcd that compares, and a watchdog is configured (decision 058)', () => {
  const patroni = readText('deploy/config/patroni.yml')
  expect(patroni).toMatch(/^etcd:$/m)
  expect(patroni).not.toMatch(/^etcd3:/m)
  expect(patroni).toMatch(/^watchdog:$/m)
  expect(patroni).toMatch(/^ +synchronous_mode: true$/m)
  expect(readText('deploy/config/etcd.yml')).toMatch(/^enable-v2: true$/m)
})

test('databases that the deployment creates sort names in Kazakh order', () => {
  expect(readText('deploy/compose.yml')).toContain('--locale-provider=icu --icu-locale=kk')
  expect(readText('deploy/config/patroni.yml')).toMatch(/- locale-provider: icu\n +- icu-locale: kk/)
})

test('if no process passes its check, the proxy still sends calls to those that accept them', () => {
  const proxy = readText('deploy/config/haproxy.cfg')
  expect(proxy).toContain('use_backend slow-product if { nbsrv(product) eq 0 }')
  const [slow] = /^backend slow-product\n(?: +.*\n)+\$\{SLOW_PRODUCT_SERVERS\}$/m.exec(proxy)!
  expect(slow).not.toContain('check')
  // An act must not be repeated there either.
  expect(slow).toMatch(/^ +retry-on conn-failure$/m)
})

test('the image has every workspace but those that only browsers, programs, tests and measures need', () => {
  const [, list] = /workspaces='(\[.+?\])'/.exec(readText('deploy/Dockerfile'))!
  const { workspaces } = readJson('package.json') as { workspaces: string[] }
  const left = ['client', 'web', 'e2e', 'bench', 'tools']
  expect(JSON.parse(list!)).toEqual(workspaces.filter((name) => !left.includes(name)))
})

test('Node runs the product with the same flags everywhere', () => {
  const { scripts } = readJson('package.json') as { scripts: Record<string, string> }
  const flags = nodeFlags.join(' ')
  expect(scripts['start']).toBe(`exec node ${flags} scripts/start.ts`)
  expect(readText('deploy/systemd/kelisim@.service')).toContain(`node ${flags} main.ts\n`)
  const [, entry] = /^ENTRYPOINT (.+)$/m.exec(readText('deploy/Dockerfile'))!
  expect(JSON.parse(entry!)).toEqual(['node', ...nodeFlags, 'main.ts'])
})
