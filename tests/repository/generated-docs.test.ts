import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { generateDocs } from '../../scripts/generate-docs.ts'

it.each(generateDocs())('[LIVE-33] $file says what the catalogue says', ({ file, content }) => {
  const written = existsSync(file) ? readFileSync(file, 'utf8') : ''
  expect(written === content, `docs/${basename(file)} is out of date: run npm run docs`).toBe(true)
})
