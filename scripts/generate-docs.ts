import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateAsyncApi } from './docs/asyncapi.ts'
import { fillTables } from './docs/tables.ts'

const docsFolder = join(import.meta.dirname, '../docs')

/** The generated documents with their expected content. */
export function generateDocs(): { file: string; content: string }[] {
  const page = join(docsFolder, 'protocol.md')
  return [
    { file: page, content: fillTables(readFileSync(page, 'utf8')) },
    { file: join(docsFolder, 'asyncapi.json'), content: `${JSON.stringify(generateAsyncApi(), null, 2)}\n` },
  ]
}

if (import.meta.main) {
  for (const { file, content } of generateDocs()) writeFileSync(file, content)
}
