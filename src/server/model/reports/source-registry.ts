import { globSync } from 'node:fs'
import type { ReportKind } from '../../../shared/reports/rules.ts'
import type { ReportSource } from './queries.ts'

const serverFolder = new URL('../../', import.meta.url)
const files = globSync('{model,features}/*/report-source.ts', { cwd: serverFolder }).sort()

/** What can be reported, by kind, from the features' `report-source.ts`. The writer imports this: no HTTP, no pages. */
const sources: ReadonlyMap<ReportKind, ReportSource> = new Map(
  await Promise.all(
    files.map(async (file) => {
      const { reportSource } = (await import(new URL(file, serverFolder).href)) as { reportSource: ReportSource } // each file exports it
      return [reportSource.kind, reportSource] as const
    }),
  ),
)

/** The source of a kind. Throws when no feature registers it. */
export function sourceOf<K extends ReportKind>(kind: K): ReportSource<K> {
  const source = sources.get(kind)
  if (!source) throw new Error(`no feature registers reports of the kind ${kind}`)
  return source as unknown as ReportSource<K> // the map has each source under its kind
}
