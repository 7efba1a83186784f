import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import pino from 'pino'
import type { Manifest } from 'vite'
import { expect, it } from 'vitest'
import { ensureBuild } from '../../src/server/kernel/render/build.ts'
import { islandsByTrigger } from '../../src/server/kernel/render/islands-by-trigger.ts'
import type { BuiltAssets } from '../../src/server/kernel/render/vite-build.ts'
import { root } from '../../vite.config.ts'

/**
 * Bytes of JavaScript and CSS, as brotli, that a page may load before it can be used (goals: `npm run bench weight`), and
 * the size of each of its files when this was last updated. The file sizes are no limits: they show where a page grew.
 * Code that a room needs later belongs into `deferred`. Names of files have hashes, which move the sum by some 40 bytes.
 */
const budgets: Record<string, { atMost: number; files: Record<string, number> }> = {
  index: { atMost: 11_200, files: { 'main.js': 5_123, '_app.css': 2_708, 'index.css': 3_278 } },
  'room/[id]': {
    atMost: 97_500,
    files: {
      'main.js': 5_123,
      'react.js': 59_955,
      'rolldown-runtime.js': 382,
      'eager.js': 23_921,
      '_app.css': 2_708,
      '_id_.css': 4_446,
    },
  },
}

it.each(Object.entries(budgets))('%s needs no more bytes before it can be used than it may', async (page, budget) => {
  const { folder } = await ensureBuild(pino({ level: 'silent' }))
  const assets: BuiltAssets = JSON.parse(await readFile(join(folder, 'assets.json'), 'utf8'))
  const atOnce = await islandsByTrigger([join(root, `src/client/page/routes/${page}.tsx`)], ['load'])
  const paths = new Set([
    assets.script,
    ...(assets.styles._app ?? []),
    ...(assets.styles[page] ?? []),
    ...atOnce.flatMap((island) => assets.islands[island.slice(root.length - 1)] ?? []),
  ])
  const sizes = await Promise.all(
    [...paths].map(async (path) => [withoutHash(path), await sizeOf(folder, path)] as const),
  )
  const sum = sizes.reduce((total, [, bytes]) => total + bytes, 0)
  expect(sum, describeGrowth(sizes, budget.files)).toBeLessThanOrEqual(budget.atMost)
})

it('the drawings that only the server shows are files of the browser too', async () => {
  const { folder } = await ensureBuild(pino({ level: 'silent' }))
  const bundle = await readFile(join(folder, 'server/bundle.js'), 'utf8')
  const drawings = [...bundle.matchAll(/\/assets\/[\w-]+\.svg/g)].map(([path]) => path)
  expect(drawings.map(withoutHash)).toContain('dark.svg')
  for (const path of drawings) expect((await stat(join(folder, 'client', path))).size, path).toBeGreaterThan(0)
})

it('[SHELL-121] a room loads no code of overlays and panels by itself', async () => {
  const { folder } = await ensureBuild(pino({ level: 'silent' }))
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'client/.vite/manifest.json'), 'utf8'))
  const importsOf = (name: string): string[] => {
    const chunk = Object.values(manifest).find(({ file }) => withoutHash(file) === name)
    return (chunk?.imports ?? []).flatMap((key) => manifest[key] ?? []).map(({ file }) => withoutHash(file))
  }
  expect(importsOf('eager.js').sort()).toEqual(['main.js', 'react.js', 'rolldown-runtime.js'])
  expect(importsOf('deferred.js').sort()).toEqual(['eager.js', 'main.js', 'react.js', 'rolldown-runtime.js'])
})

it('[SHELL-123] a touch of the landing page loads no code that only rooms load later', async () => {
  const { folder } = await ensureBuild(pino({ level: 'silent' }))
  const assets: BuiltAssets = JSON.parse(await readFile(join(folder, 'assets.json'), 'utf8'))
  const touched = await islandsByTrigger([join(root, 'src/client/page/routes/index.tsx')], ['interaction'])
  const forms = [...touched, join(root, 'src/client/features/accounts/sign-in/credential-fields.island.tsx')]
  const chunks = forms.flatMap((island) => assets.islands[island.slice(root.length - 1)] ?? [])
  const names = [...new Set(chunks.map(withoutHash))]
  expect(names.sort()).toEqual(['eager.js', 'react.js', 'rolldown-runtime.js'])
})

/** `/assets/at-once-BNz4-q1.js` is `at-once.js`. */
function withoutHash(path: string): string {
  return basename(path).replace(/-[\w-]{7}\./, '.')
}

/** What is too small to be compressed is sent as it is. */
async function sizeOf(folder: string, path: string): Promise<number> {
  const file = join(folder, 'client', path)
  const { size } = await stat(`${file}.br`).catch(() => stat(file))
  return size
}

function describeGrowth(sizes: (readonly [name: string, bytes: number])[], known: Record<string, number>): string {
  const lines = sizes.map(([name, bytes]) => {
    const before = known[name]
    const change = before === undefined ? 'new' : `${bytes >= before ? '+' : ''}${bytes - before}`
    return `${name}: ${bytes} bytes (${change})`
  })
  return ['What is needed only later can be loaded later (docs/architecture.md, "Weight").', ...lines].join('\n')
}
