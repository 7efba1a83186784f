// @module-tag deep
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureBuild } from '../../src/server/kernel/render/build.ts'
import { root, type Site } from '../../vite.config.ts'
import { FIXTURE_SITE } from './serve-fixtures.ts'

const log = pino({ level: 'silent' })
// As deep as the fixtures, whose imports lead out of their folder.
const site: Site = { sources: '.cache/copies/build', builds: '.cache/copies/builds' }
const page = join(root, site.sources, 'page/routes/index.tsx')
const builds = () => readdirSync(join(root, site.builds))

beforeEach(() => {
  mkdirSync(join(root, site.builds), { recursive: true })
  cpSync(join(root, FIXTURE_SITE.sources), join(root, site.sources), { recursive: true })
})

afterEach(() => {
  process.chdir(root)
  rmSync(join(root, site.sources), { recursive: true })
  rmSync(join(root, site.builds), { recursive: true })
})

describe('a build', () => {
  it('is made once for the same sources, and again when one changes', async () => {
    const first = await ensureBuild(log, site)
    expect(await ensureBuild(log, site)).toEqual(first)
    expect(builds()).toEqual([first.id])
    writeFileSync(page, `${readFileSync(page, 'utf8')}\n`)
    const second = await ensureBuild(log, site)
    expect(builds().sort()).toEqual([first.id, second.id].sort())
  })

  it('is made once by concurrent processes', async () => {
    const [one, two] = await Promise.all([ensureBuild(log, site), ensureBuild(log, site)])
    expect(one).toEqual(two)
    expect(builds()).toEqual([one.id])
  })

  it('is made when the server is started from another directory', async () => {
    process.chdir(tmpdir())
    const { id } = await ensureBuild(log, site)
    expect(builds()).toEqual([id])
  })

  it('that fails leaves nothing behind', async () => {
    writeFileSync(page, 'export const broken = (')
    await expect(ensureBuild(log, site)).rejects.toThrow('could not be built')
    expect(builds()).toEqual([])
  })
})
