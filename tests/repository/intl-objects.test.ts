import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

it('[SHELL-124] no module of the browser creates an Intl object while it is evaluated: it takes 50 to 100 ms on a slow phone', () => {
  const paths = globSync('src/{client,shared}/**/*.{ts,tsx}', { cwd: root, exclude: (path) => path.includes('.test.') })
  expect(paths.length).toBeGreaterThan(500)
  // A statement of the module itself is not indented.
  const creating = paths.filter((path) => /^\S.*\bnew Intl\./m.test(readFileSync(join(root, path), 'utf8')))
  expect(creating).toEqual([])
})
