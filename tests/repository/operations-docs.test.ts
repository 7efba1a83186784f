import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMetrics } from '../../src/server/kernel/operations/metrics.ts'

const root = join(import.meta.dirname, '../..')
const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8')

describe('docs/operations.md', () => {
  it('names every setting once, and no unknown setting', () => {
    const source = readFileSync(join(root, 'src/server/kernel/config.ts'), 'utf8')
    const ofLitefs = readFileSync(join(root, 'litefs.yml'), 'utf8').matchAll(/\$\{(\w+)/g)
    const ours = source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)
    const config = [...new Set([...ours, ...ofLitefs].map((match) => match[1]))]
    const documented = [...operations.matchAll(/^\| `([A-Z][A-Z_]+)` \|/gm)].map((match) => match[1])
    expect(config).toContain('PORT')
    expect(documented.sort()).toEqual(config.sort())
  })

  it('names every metric of the server', async () => {
    const metrics = createMetrics()
    metrics.registerGauges({
      connections: () => 0,
      queueLength: () => 0,
      lagMs: () => 0,
      links: () => 0,
      waitingAnswers: () => 0,
    })
    const ours = [...(await metrics.text()).matchAll(/^# TYPE (meydan_\w+)/gm)].map((match) => match[1] ?? '')
    expect(ours).toContain('meydan_connections')
    expect(ours.filter((name) => !operations.includes(`\`${name}`))).toEqual([])
  })

  it('names every metric that a feature registers', () => {
    const files = globSync('src/server/*/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
    const texts = files
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .filter((text) => text.includes('prom-client'))
    const ours = texts.flatMap((text) => [...text.matchAll(/'(meydan_\w+)'/g)].map((match) => match[1] ?? ''))
    expect(ours).toContain('meydan_relay_calls')
    expect(ours.filter((name) => !operations.includes(`\`${name}`))).toEqual([])
  })
})
