import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { join, resolve } from 'node:path'
import type { Manifest } from 'vite'
import type { BuiltAssets } from '../src/server/kernel/render/vite-build.ts'
import { compareFigure, type Report, standaloneFigure } from './measure/report.ts'
import { runPeer } from './measure/run-peer.ts'
import type { Task } from './peers/bundle-react.ts'
import { meydan, type RunningMeydan } from './subjects/meydan.ts'

const MAX_LANDING_KB = 15

/** The files that a page needs: paths below `/`. */
interface PageAssets {
  /** Linked or preloaded by the document, or imported statically by one of those. */
  initial: Set<string>
  /** Chunks of islands with trigger `afterLoad`, `idle` or `visible`, without the initial ones. */
  deferred: Set<string>
}

/** Compressed size of the JavaScript and CSS that a page needs before it is usable. */
export async function measure(): Promise<Report> {
  const site = await meydan.start()
  const folder = resolve('.cache/bench', randomUUID())
  try {
    const { signedIn, cookie } = await site.signInGuest()
    const landing = await findPageAssets(site, '/', '')
    const room = await findPageAssets(site, '/room/1', cookie)
    const react = await runPeer<{ bytes: number }>('bench/peers/bundle-react.ts', { folder } satisfies Task)
    const kb = async (paths: Set<string>) => [(await sumBytes(site, paths)) / 1000]
    return {
      figures: [
        standaloneFigure('landing, before the form is touched', 'KB', await kb(landing.initial), {
          atMost: MAX_LANDING_KB,
        }),
        standaloneFigure('landing, comes by itself later', 'KB', await kb(landing.deferred)),
        compareFigure('room against react and react-dom alone', 'KB', await kb(room.initial), [react.bytes / 1000], {
          // 1.5, and 20 KB for fewer files (decision 0074).
          atMost: 1.85,
        }),
        standaloneFigure('room, comes by itself later', 'KB', await kb(room.deferred)),
      ],
      notes: [
        `Brotli as the server sends it, 1 KB = 1,000 bytes; typefaces and pictures are not counted. The room as ${signedIn.user.role}.`,
        `landing: ${[...landing.initial].join(' ')}`,
        `room: ${[...room.initial].join(' ')}`,
      ],
    }
  } finally {
    await site.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Collects the files from the document and from the build manifest: island chunks and static imports. */
async function findPageAssets(site: RunningMeydan, path: string, cookie: string): Promise<PageAssets> {
  const response = await fetch(site.server.origin + path, { headers: { cookie }, redirect: 'error' })
  const html = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  const build = join('build', attribute(html.match(/<meta name="build"[^>]*>/)?.[0] ?? '', 'content'))
  const manifest: Manifest = JSON.parse(await readFile(join(build, 'client/.vite/manifest.json'), 'utf8'))
  const assets: Pick<BuiltAssets, 'islands'> = JSON.parse(await readFile(join(build, 'assets.json'), 'utf8'))
  const tags = html.match(/<(script type="module"|link rel="(modulepreload|stylesheet)")[^>]*>/g) ?? []
  const linked = tags.map((tag) => attribute(tag, tag.startsWith('<script') ? 'src' : 'href'))
  const islands = (html.match(/<m-island [^>]*>/g) ?? []).map((tag) => ({
    file: attribute(tag, 'data-name').replace(/#.*$/, ''),
    on: attribute(tag, 'data-on'),
  }))
  const chunksOf = (on: string[]) =>
    islands.filter((island) => on.includes(island.on)).flatMap((island) => assets.islands[island.file] ?? [])
  const first = new Set([...linked, ...withImports(manifest, keysOf(manifest, [...linked, ...chunksOf(['load'])]))])
  const later = withImports(manifest, keysOf(manifest, chunksOf(['afterLoad', 'idle', 'visible'])))
  return { initial: first, deferred: new Set([...later].filter((file) => !first.has(file))) }
}

function keysOf(manifest: Manifest, paths: string[]): string[] {
  return Object.keys(manifest).filter((key) => paths.includes(`/${manifest[key]?.file}`))
}

/** The files and styles of these chunks and of their static imports. */
function withImports(manifest: Manifest, keys: string[]): Set<string> {
  const files = new Set<string>()
  const visited = new Set<string>()
  const visit = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`the build has no ${key}`)
    if (visited.has(key)) return
    visited.add(key)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(`/${file}`)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const key of keys) visit(key)
  return files
}

function attribute(tag: string, name: string): string {
  return tag.match(new RegExp(`${name}="([^"]*)"`))?.[1] ?? ''
}

async function sumBytes(site: RunningMeydan, paths: Set<string>): Promise<number> {
  let sum = 0
  for (const path of paths) sum += await measureTransferBytes(site.server.origin + path)
  return sum
}

/** Bytes of the compressed body; `fetch` would return it decompressed. */
function measureTransferBytes(url: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  get(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
    let bytes = 0
    if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    response.on('end', () => resolve(bytes))
  }).on('error', reject)
  return promise
}
