import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asyncApi } from './docs/asyncapi.ts'
import { fillTables } from './docs/tables.ts'

const docs = join(import.meta.dirname, '../docs')

/** The files that are generated, whole or in part, each with what it is to contain. */
export function generatedDocs(): { file: string; content: string }[] {
  const page = join(docs, 'protocol.md')
  return [
    { file: page, content: fillTables(readFileSync(page, 'utf8')) },
    { file: join(docs, 'asyncapi.json'), content: `${JSON.stringify(asyncApi(), null, 2)}\n` },
  ]
}

if (import.meta.main) {
  for (const { file, content } of generatedDocs()) writeFileSync(file, content)
}
