/**
 * `npm run -s image` builds the image of deploy/Dockerfile without any image registry: mmdebstrap makes the base
 * system from Debian's packages. Then the image is started without root on a read-only file system until it is ready
 * and its own health check passes, and its size and the digests of its layers are printed. Needs root and `apt-get
 * install --no-install-recommends mmdebstrap buildah podman runc`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { answers, until } from '../cluster/supervised.ts'

const root = join(import.meta.dirname, '../..')
const port = Number(process.env['IMAGE_PORT'] ?? 3410)
const folder = mkdtempSync(join(tmpdir(), 'kelisim-image-'))
const storage = [
  '--root',
  join(folder, 'storage'),
  '--runroot',
  join(folder, 'run'),
  '--storage-driver',
  'vfs',
]
/** runc, because crun refuses machines with both kinds of control groups. */
const runtime = ['--runtime=runc', '--cgroup-manager=cgroupfs']
/** Which Debian, and what apt has to know of its mirror: IMAGE_APT_OPTIONS='Acquire::Check-Valid-Until "false"'. */
const suite = process.env['IMAGE_SUITE'] ?? 'bookworm'
const aptOptions = (process.env['IMAGE_APT_OPTIONS'] ?? '').split(';').filter((option) => option !== '')
/** Where the base systems are kept for the next run; unset: they are made anew each time. */
const systems = process.env['IMAGE_SYSTEMS'] ?? folder
const certificates = '/etc/ssl/certs'
/** The time of all files is that of the commit, so that the same sources and packages give the same layers. */
const epoch =
  process.env['SOURCE_DATE_EPOCH'] ??
  execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).trim()

/** The settings that production demands; without the address of a database it starts the embedded one. */
const settings = {
  MODE: 'production',
  PORT: port,
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://kelisim.example.kz',
  SMTP_URL: 'smtp://127.0.0.1:2525',
  MAIL_FROM: 'no-reply@kelisim.example.kz',
  SUPPORT_EMAIL: 'support@kelisim.example.kz',
  TRUST_ROOTS_DIR: '/roots',
}

try {
  const [base, builder] = ['kelisim-base', 'kelisim-builder']
  // Without apt and, because its folders are merged from the beginning, without Perl; Node needs the library of C++.
  system(base, 'essential', ['usr-is-merged', 'ca-certificates', 'libstdc++6'])
  system(builder, 'minbase', ['usr-is-merged', 'ca-certificates', 'nodejs', 'npm'])
  run('buildah', [
    ...storage,
    'bud',
    // Docker's image format, because the OCI format has no field for the health check.
    '--format=docker',
    '--isolation=chroot',
    '--layers=false',
    `--timestamp=${epoch}`,
    `--build-arg=BASE=localhost/${base}`,
    `--build-arg=BUILDER=localhost/${builder}`,
    // The certificate authorities that this machine trusts, for the package registry.
    `--build-arg=NODE_EXTRA_CA_CERTS=${certificates}/ca-certificates.crt`,
    `--volume=${certificates}:${certificates}:ro`,
    // The packages that this machine has already downloaded; each is still checked by its hash.
    `--volume=${join(homedir(), '.npm')}:/root/.npm`,
    '--file=deploy/Dockerfile',
    '--tag=kelisim:latest',
    root,
  ])
  const inspected = (field: string) =>
    run('podman', [...storage, 'image', 'inspect', `--format=${field}`, 'localhost/kelisim:latest']).trim()
  const size = Number(inspected('{{.Size}}'))
  process.stdout.write(`${inspected('{{range .RootFS.Layers}}{{println .}}{{end}}')}\n`)
  await start()
  process.stdout.write(
    `kelisim:latest: ${(size / 1e6).toFixed(0)} MB, starts without root on a read-only file system, and is healthy\n`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** A Debian with these packages, as an image. */
function system(name: string, variant: string, packages: readonly string[]): void {
  const archive = join(systems, `${name}.tar`)
  if (!existsSync(archive)) {
    run('mmdebstrap', [
      `--variant=${variant}`,
      `--include=${packages.join(',')}`,
      '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr',
      '--aptopt=APT::Install-Recommends "false"',
      // Nobody reads manuals in a container.
      ...['doc', 'man', 'locale'].map((kind) => `--dpkgopt=path-exclude=/usr/share/${kind}/*`),
      ...aptOptions.map((option) => `--aptopt=${option}`),
      suite,
      archive,
    ])
  }
  const container = run('buildah', [...storage, 'from', 'scratch']).trim()
  run('buildah', [...storage, 'add', container, archive, '/'])
  run('buildah', [...storage, 'commit', '--rm', `--timestamp=${epoch}`, container, `localhost/${name}`])
}

/** Starts the image by its own command, with only the settings that production demands. */
async function start(): Promise<void> {
  const container = run('podman', [
    ...storage,
    ...runtime,
    'run',
    '--detach',
    '--network=host',
    // The limits of the machine may be lower than podman's defaults, and cannot be raised in a sandbox.
    '--ulimit=nofile=4096:4096',
    '--ulimit=nproc=1024:1024',
    '--read-only',
    '--cap-drop=all',
    '--security-opt=no-new-privileges',
    '--init=false',
    '--tmpfs=/tmp:mode=1777',
    // Like a new volume of compose, which only the owner that the image gives it can write.
    '--volume=kelisim-image-data:/data',
    `--volume=${join(root, 'signature', 'fixtures', 'vectors', 'certs')}:/roots:ro`,
    ...Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`),
    'localhost/kelisim:latest',
  ]).trim()
  try {
    await until('the container', () => answers(`http://127.0.0.1:${port}/health/ready`), 180)
    run('podman', [...storage, ...runtime, 'healthcheck', 'run', container])
  } finally {
    process.stdout.write(run('podman', [...storage, ...runtime, 'logs', '--tail=5', container]))
    run('podman', [...storage, ...runtime, 'rm', '--force', '--time=20', container])
  }
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    cwd: root,
    // There may be no systemd, whose timers podman would use for the health check.
    env: { ...process.env, DISABLE_HC_SYSTEMD: 'true', SOURCE_DATE_EPOCH: epoch },
  })
  if (status !== 0) throw new Error(`${command}: ${stderr.slice(-3000)}${stdout.slice(-1000)}`)
  return stdout
}
