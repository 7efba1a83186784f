import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureTool, type ToolLookup } from './find-tool.ts'
import { unmountBelow } from './litefs-mounts.ts'
import { LITEFS_CONFIG_FILE } from './region-plan.ts'

const litefs = {
  name: 'litefs',
  variable: 'LITEFS',
  module: 'tools',
  program: 'github.com/superfly/litefs/cmd/litefs',
}

/** Finds or builds LiteFS and tries a mount. Returns the reason when one of them fails. */
export function ensureLitefs(): ToolLookup {
  const missing = findDeviceProblem() ?? findFuse3Problem()
  if (missing) return { missing }
  const found = ensureTool(litefs)
  const refused = 'path' in found ? tryMounting(found.path) : null
  return refused ? { missing: refused } : found
}

function findDeviceProblem(): string | null {
  if (process.platform !== 'linux') return `LiteFS mounts on Linux only, and this is ${process.platform}`
  return existsSync('/dev/fuse') ? null : 'there is no /dev/fuse: a container needs --device /dev/fuse'
}

/** Installs fuse3 as root on Debian. */
function findFuse3Problem(): string | null {
  const isInstalled = () => !spawnSync('fusermount3', ['--version']).error
  if (!isInstalled() && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) installFuse3()
  return isInstalled() ? null : 'there is no fusermount3: install fuse3, or run this as root on Debian'
}

function installFuse3(): void {
  console.error('No fusermount3 found: installing fuse3 with apt-get.')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', 'fuse3']])
    spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Mounts and unmounts once, in about 100 ms. Returns the reason when it fails, else null. */
function tryMounting(path: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'meydan-mount-'))
  const env = {
    ...process.env,
    LITEFS_MOUNT: join(folder, 'mount'),
    LITEFS_DATA: join(folder, 'litefs'),
    LITEFS_HTTP: '127.0.0.1:0',
    LITEFS_LEASE: 'static',
    LITEFS_CANDIDATE: 'true',
  }
  try {
    execFileSync(path, ['mount', '-config', LITEFS_CONFIG_FILE, '--', 'true'], { env, stdio: 'pipe', timeout: 20_000 })
    return null
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    const why = /mount helper error: (.*?)"?$/m.exec(output)?.[1] ?? output.trim().split('\n').at(-1)
    return `LiteFS cannot mount here (${why}): it needs root or a setuid fusermount3, in a container CAP_SYS_ADMIN too`
  } finally {
    unmountBelow(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}
