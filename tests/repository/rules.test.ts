import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** What a title starts with: one id or several, each in brackets. */
const titleIds = /['"`]((?:\[[A-Z]+-\d{2,}\]\s?)+)/g
/** The same where the test is not of `npm test`: the options that follow the title have the tag. */
const deepTitleIds = /['"`]((?:\[[A-Z]+-\d{2,}\]\s?)+)[^\n]*['"`],\s*\{[^}]*tags: 'deep'/g
/**
 * Rules that only `npm run test:deep` proves: networks between machines, regions that fail, and Schemathesis have no cheaper
 * kind of test.
 */
const DEEP_RULES = [
  ...Array.from({ length: 10 }, (_, index) => `CALLNET-${String(index + 1).padStart(2, '0')}`),
  ...['HTTP-29', 'REG-34', 'REG-35', 'REG-37', 'REG-39', 'REG-40'],
]
const anyId = /\[([A-Z]{2,}-\d{2,})\]/g

const rules = globSync('src/shared/*/RULES.md', { cwd: root }).flatMap((file) => {
  const feature = basename(dirname(file))
  return matches(read(file), /^\| ([A-Z]+-\d+) \|/gm).map((id) => ({ id, feature, file }))
})
const knownIds = new Set(rules.map((rule) => rule.id))
const testFiles = globSync(['src/**/*.test.{ts,tsx}', 'tests/**/*.{ts,tsx}'], { cwd: root })

describe('the rules and the tests that prove them', () => {
  it('gives each rule one id, with a prefix of its feature alone, counted up', () => {
    const prefixOf = (id: string) => id.replace(/-\d+$/, '')
    const features = Map.groupBy(rules, ({ feature }) => feature)
    for (const [feature, ownRules] of features) {
      const ids = ownRules.map(({ id }) => id)
      const prefixes = [...new Set(ids.map(prefixOf))]
      const expected = prefixes.flatMap((prefix) =>
        [...new Set(ids)]
          .filter((id) => prefixOf(id) === prefix)
          .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })),
      )
      expect(ids, `src/shared/${feature}/RULES.md`).toEqual(expected)
      const owners = new Set(rules.filter(({ id }) => prefixes.includes(prefixOf(id))).map((rule) => rule.feature))
      expect([...owners]).toEqual([feature])
    }
  })

  it('quotes every rule in the title of a test', () => {
    const quoted = new Set(
      testFiles.flatMap((file) => matches(read(file), titleIds).flatMap((ids) => matches(ids, anyId))),
    )
    expect(rules.filter((rule) => !quoted.has(rule.id)).map((rule) => rule.id)).toEqual([])
  })

  it('proves every rule in `npm test`, but for those that are named here', () => {
    const proved = new Set(testFiles.flatMap((file) => findProvedRules(read(file))))
    const unproved = rules.filter(({ id }) => !proved.has(id)).map(({ id }) => id)
    expect(unproved.toSorted()).toEqual(DEEP_RULES.toSorted())
  })

  it('cites only the specification, RFCs, sections of documents below docs/ and decision records', () => {
    const records = new Set(globSync('docs/decisions/*.md', { cwd: root }).map((file) => basename(file).slice(0, 4)))
    const isKnown = (source: string): boolean => {
      const [, document, section] = /^(?:docs\/)?([\w-]+\.md)(?:, (.+)|$| )/.exec(source) ?? []
      if (document) return existsSync(join(root, 'docs', document)) && (!section || hasSection(document, section))
      const [, record] = /^decision (\d{4})/.exec(source) ?? []
      return record ? records.has(record) : /^(?:specification \d|RFC \d+)/.test(source)
    }
    const sources = globSync('src/shared/*/RULES.md', { cwd: root }).flatMap((file) =>
      matches(read(file), /^\| [A-Z]+-\d+ \|.*\| ([^|]+) \|$/gm).flatMap((cell) => cell.split('; ')),
    )
    expect(sources.length).toBeGreaterThan(rules.length)
    expect(sources.filter((source) => !isKnown(source))).toEqual([])
  })

  it('quotes no rule that does not exist', () => {
    const unknown = testFiles.flatMap((file) =>
      matches(read(file), anyId)
        .filter((id) => !knownIds.has(id))
        .map((id) => `${file}: ${id}`),
    )
    expect(unknown).toEqual([])
  })
})

/** A section is a heading or begins a paragraph in bold; a number of a list may follow its name. */
function hasSection(document: string, section: string): boolean {
  const names = matches(read(join('docs', document)), /^(?:#+ |(?:- )?\*\*)(.+?)(?:\.?\*\*.*)?$/gm)
  const isName = (text: string) => names.includes(text.replace(/ \d+(?: and \d+)*$/, ''))
  return isName(section) || section.split(' and ').every(isName)
}

/** The rules that tests of the first tier quote. */
function findProvedRules(text: string): string[] {
  if (text.includes('@module-tag deep')) return []
  const quoted = matches(text, titleIds)
  for (const ids of matches(text, deepTitleIds)) quoted.splice(quoted.indexOf(ids), 1)
  return quoted.flatMap((ids) => matches(ids, anyId))
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '')
}
