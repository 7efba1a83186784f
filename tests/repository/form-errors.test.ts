import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

it('[SHELL-100] no form shows the errors of the browser: each has `inlineErrors` or `noValidate`', () => {
  const forms = globSync('src/client/**/*.tsx', { cwd: root }).flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split(/<form\b/)
      .slice(1)
      .map((rest) => ({ path, tag: /^(?:=>|[^>])*/.exec(rest)?.[0] ?? '' })),
  )
  expect(forms.length).toBeGreaterThan(20)
  const bubbling = forms.filter(({ tag }) => !/\bnoValidate\b|\{\.\.\.inlineErrors\}/.test(tag))
  expect(bubbling).toEqual([])
})
