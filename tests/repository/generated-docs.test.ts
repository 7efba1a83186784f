import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { generateDocs } from '../../scripts/generate-docs.ts'

const documents = generateDocs().map((document) => ({ ...document, name: `docs/${basename(document.file)}` }))

it.each(documents)('[LIVE-33] $name says what the catalogue says', ({ name, file, content }) => {
  const written = existsSync(file) ? readFileSync(file, 'utf8') : ''
  expect(written === content, `${name} is out of date: run npm run docs`).toBe(true)
})
