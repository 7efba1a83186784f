import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Logger } from 'pino'
import { meydan, root, type Site } from '../../../../vite.config.ts'

/** A finished build; its folder has `client/`, `server/bundle.js` and `assets.json`. */
export interface Build {
  id: string
  folder: string
}

/** Builds kept on disk, so that a starting process does not lose the build that it uses. */
const MAX_KEPT_BUILDS = 3

/**
 * Returns the build of the current sources; builds them if needed. Builds are named by the hash of their sources and
 * renamed into place when complete, so parallel builds do not conflict.
 */
export async function ensureBuild(log: Logger, site: Site = meydan): Promise<Build> {
  const id = hashSources(site)
  const builds = join(root, site.builds)
  const folder = join(builds, id)
  if (existsSync(folder)) return { id, folder }

  const started = performance.now()
  const unfinished = join(builds, `.unfinished-${randomUUID()}`)
  await mkdir(unfinished, { recursive: true })
  try {
    await runBuild(site, unfinished)
    await moveIntoPlace(unfinished, folder)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  await removeOldBuilds(builds)
  log.info({ build: id, ms: Math.round(performance.now() - started) }, 'pages built')
  return { id, folder }
}

async function runBuild({ sources }: Site, folder: string): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'production' }
  const program = join(import.meta.dirname, 'vite-build.ts')
  const child = spawn(process.execPath, [program, sources, folder], {
    // The build names modules relative to the working directory.
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The pages could not be built; what is wrong with them is printed above.')
}

function hashSources(site: Site): string {
  const sources = [
    'vite.config.ts',
    'package-lock.json',
    'src/client',
    'src/shared',
    'src/server/kernel/render',
    site.sources,
  ]
  const hash = createHash('sha256').update(site.sources)
  for (const source of sources) {
    for (const file of filesOf(join(root, source))) hash.update(relative(root, file)).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) return []
  if (/\.[a-z]+$/.test(path)) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Another process may have finished the same build first; then its folder is used. */
async function moveIntoPlace(unfinished: string, folder: string): Promise<void> {
  try {
    await rename(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

async function removeOldBuilds(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.'))
  const builds = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })))
  const old = builds.sort((a, b) => b.at - a.at).slice(MAX_KEPT_BUILDS)
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { recursive: true, force: true })))
}
