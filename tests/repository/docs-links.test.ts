import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })]

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8')

  it('links only to existing files', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = '']) => target)
    expect(links.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([])
  })

  it('names only existing files and folders', () => {
    const named = [...text.matchAll(/`((?:src|tests|docs|bench|scripts|migrations)\/[^`<>*]*)`/g)].map(
      (match) => match[1] ?? '',
    )
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
