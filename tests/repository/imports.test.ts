import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

const sharedPackages = new Set(['valibot', '@msgpack/msgpack', '@valibot/to-json-schema'])
const CATALOGUE = 'src/shared/protocol/catalogue.ts'
const VAGUE_NAMES = /^(?:utils?|helpers?|managers?|services?|commons?|misc)$/

interface SourceFile {
  path: string
  text: string
  isTest: boolean
  /** What it imports, types included: files as paths from the root, packages by name. */
  imports: string[]
  /** The files among them that it loads when it runs: types left out, dynamic imports and globs counted. */
  loads: string[]
  /** The packages that it loads when it runs. */
  packages: string[]
}

const files = globSync(['{src,tests,migrations,scripts,bench}/**/*.{ts,tsx}', '*.ts'], { cwd: root }).map(readSource)
const sources = files.filter((file) => file.path.startsWith('src/') && !file.isTest)
describe('allowed imports', () => {
  it('lets client files import client, shared and packages that run in a browser', () => {
    expect(findViolations('src/client/', (_, to) => !within(to, ['src/client', 'src/shared']))).toEqual([])
    expect(findViolations('src/client/', (_, to) => to.startsWith('node:'))).toEqual([])
  })

  it('lets client files import only the types of the catalogue, whose values are every schema', () => {
    const loading = sources.filter(({ path, loads }) => !path.startsWith('src/server/') && loads.includes(CATALOGUE))
    expect(loading.map(({ path }) => path)).toEqual([])
    expect(loadedFrom(CATALOGUE).map(({ path }) => path)).toContain('src/shared/accounts/protocol.ts')
  })

  it('lets no source file import what only tests use', () => {
    expect(findViolations('src/', (_, to) => /\/testing\//.test(to))).toEqual([])
  })

  it('lets shared files import shared and what every platform has', () => {
    const allowed = (to: string) => (isFile(to) ? within(to, ['src/shared']) : sharedPackages.has(to))
    expect(findViolations('src/shared/', (_, to) => !allowed(to))).toEqual([])
  })

  it('lets server files import server and shared, and only pages and the renderer what they render', () => {
    const allowed = (from: string, to: string) =>
      within(to, ['src/server', 'src/shared', 'migrations']) ||
      ((within(from, ['src/server/kernel/render']) || /\/pages?\.ts$/.test(from)) && within(to, ['src/client']))
    expect(findViolations('src/server/', (from, to) => !allowed(from, to))).toEqual([])
  })

  it('lets the kernel import the kernel only, the model the kernel too, and a feature both and no other feature', () => {
    expect(findViolations('src/', (from, to) => isFile(to) && !isDownward(from, to))).toEqual([])
    expect(isDownward('src/server/features/rooms/routes.ts', 'src/server/model/rooms/queries.ts')).toBe(true)
    expect(isDownward('src/server/features/rooms/routes.ts', 'src/server/features/posts/routes.ts')).toBe(false)
    expect(isDownward('src/server/model/rooms/queries.ts', 'src/server/features/rooms/routes.ts')).toBe(false)
    expect(isDownward('src/client/core/live/socket.ts', 'src/client/model/rooms/state.ts')).toBe(false)
  })

  it('has no circle of folders in the model and in the kernel of the client', () => {
    for (const floor of ['src/server/model/', 'src/client/model/', 'src/client/core/']) {
      const edges = sources
        .filter(({ path }) => path.startsWith(floor))
        .flatMap(({ path, imports }) =>
          imports.filter((to) => to.startsWith(floor)).map((to) => [room(path), room(to)]),
        )
      const graph = Map.groupBy(
        edges.filter(([from, to]) => from !== to),
        ([from = '']) => from,
      )
      expect(findCycle(new Map([...graph].map(([from, to]) => [from, to.map(([, target = '']) => target)])))).toBeNull()
    }
  })

  it('has no import cycles, dynamic imports and globs counted', () => {
    const graph = new Map(sources.map(({ path, loads }) => [path, loads]))
    const [outer, inner, back] = [['inner'], ['back'], ['inner']]
    expect(findCycle(new Map(Object.entries({ outer, inner, back })))).toEqual(['inner', 'back', 'inner'])
    expect(findCycle(graph)?.join(' > ') ?? null).toBeNull()
  })

  it('keeps the parts of a conversation free of rooms, so that every kind of conversation can use them', () => {
    const ofRooms = (to: string) =>
      isFile(to) && within(to, ['src/client/features/room-chat', 'src/client/features/rooms'])
    expect(findViolations('src/client/model/conversation/', (_, to) => ofRooms(to))).toEqual([])
  })

  it('keeps HTTP, pages and picture processing out of the threads of the database', () => {
    const loaded = [...loadedFrom('src/server/threads/writer.ts'), ...loadedFrom('src/server/threads/read-worker.ts')]
    const names = loaded.map(({ path }) => path)
    expect(names).toEqual(
      expect.arrayContaining([
        'src/server/features/moderation/ban-user.ts',
        'src/server/features/wallet/check-ledger.ts',
        'src/server/features/media/referenced-files.ts',
      ]),
    )
    expect(names.filter((path) => /\.tsx$|routes\.ts$|^src\/(?:client|server\/kernel\/render)\//.test(path))).toEqual(
      [],
    )
    const packages = new Set(loaded.flatMap((file) => file.packages))
    expect([...packages].filter((name) => /^(?:hono|@hono|sharp|react|ws|pino)\b/.test(name))).toEqual([])
  })

  it('loads .tsx through Vite only: no .ts file outside the renderer imports one', () => {
    const loads = (from: string, to: string) => isFile(to) && to.endsWith('.tsx') && from.endsWith('.ts')
    expect(
      findViolations('src/server/', (from, to) => loads(from, to) && !within(from, ['src/server/kernel/render'])),
    ).toEqual([])
    expect(findViolations('src/shared/', loads)).toEqual([])
  })

  it('[LIVE-33] keeps the client that is written from docs/protocol.md independent of our code', () => {
    const imports = files.find((file) => file.path === 'tests/contract/protocol-client.ts')?.imports
    expect(imports).toEqual(['ws'])
  })
})

describe('names and exports', () => {
  it('gives no file or folder a vague name', () => {
    const vague = files.filter((file) =>
      file.path.split('/').some((part) => VAGUE_NAMES.test(part.split('.')[0] ?? '')),
    )
    expect(vague.map((file) => file.path)).toEqual([])
  })

  it('writes file names in kebab-case', () => {
    const odd = files.filter((file) => !/^(?:_|\[)?[a-z0-9-]+\]?(?:\.[a-z-]+)*\.tsx?$/.test(basename(file.path)))
    expect(odd.map((file) => file.path)).toEqual([])
  })

  it('exports by name, and passes on nothing of our own', () => {
    const exporting = (pattern: RegExp) =>
      files.filter((file) => !/\.config\.ts$/.test(file.path) && pattern.test(file.text)).map((file) => file.path)
    expect(exporting(/^export default /m)).toEqual([])
    expect(exporting(/^export (?:\*|\{[^}]*\}|type \{[^}]*\}) from '\./m)).toEqual([])
  })
})

function readSource(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  const found = [
    ...text.matchAll(/^(?:import|export)\b[^'"`;=]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm),
  ].map((match) => ({ to: resolve(path, match[1] ?? match[2] ?? match[3] ?? ''), isType: isTypeImport(text, match) }))
  const loaded = found.filter(({ to, isType }) => isFile(to) && !isType).map(({ to }) => to)
  return {
    path,
    text,
    isTest: /\.test\.tsx?$/.test(path) || /\/testing\//.test(path),
    imports: found.map(({ to }) => to),
    loads: [...new Set([...loaded, ...globbedFiles(path, text)])],
    packages: found.filter(({ to, isType }) => !isFile(to) && !isType).map(({ to }) => to),
  }
}

function isTypeImport(text: string, { 0: statement, index }: RegExpMatchArray): boolean {
  return /^(?:import|export) type\b/.test(statement) || /\btypeof $/.test(text.slice(0, index))
}

/** The files that `import.meta.glob` finds. `@site` is the site's own folder (vite.config.ts). */
function globbedFiles(from: string, text: string): string[] {
  const globs = text.matchAll(/import\.meta\.glob(?:<.*>)?\(\s*'([^']+)'/g)
  return [...globs].flatMap(([, pattern = '']) =>
    globSync(resolve(from, pattern).replace(/^@site/, 'src/client'), { cwd: root }),
  )
}

/** Everything that a file loads, itself included. */
function loadedFrom(path: string): SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const reached = new Set([path])
  for (const next of reached) for (const to of byPath.get(next)?.loads ?? []) reached.add(to)
  return [...reached].flatMap((each) => byPath.get(each) ?? [])
}

/** Some import cycle, from a file back to itself; null when there is none. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const finished = new Set<string>()
  const visit = (path: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (finished.has(path)) return null
    for (const next of graph.get(path) ?? []) {
      const cycle = visit(next, [...trail, path])
      if (cycle) return cycle
    }
    finished.add(path)
    return null
  }
  return [...graph.keys()].map((path) => visit(path, [])).find((cycle) => cycle !== null) ?? null
}

function resolve(from: string, to: string): string {
  return to.startsWith('.') ? normalize(join(dirname(from), to)) : to
}

function isFile(to: string): boolean {
  return /^(?:src|tests|migrations|scripts|bench)\//.test(to)
}

function within(path: string, folders: string[]): boolean {
  return !isFile(path) || folders.some((folder) => path.startsWith(`${folder}/`))
}

/** The floors from the bottom up; what starts or composes features, and what only runs in tests, is above them. */
const FLOORS = [/^src\/(?:server\/kernel|client\/core)\//, /^src\/\w+\/model\//, /^src\/\w+\/features\//]

/** Whether an import goes down the floors of its side, or stays on one and, between features, in the same one. */
function isDownward(from: string, to: string): boolean {
  if (side(from) !== side(to)) return true // the rules above hold sides apart
  const [above, below] = [floor(from), floor(to)]
  return below < above || (below === above && (above !== 2 || room(from) === room(to)))
}

function floor(path: string): number {
  const found = FLOORS.findIndex((pattern) => pattern.test(path))
  return found === -1 ? FLOORS.length : found
}

function side(path: string): string {
  return path.split('/', 2).join('/')
}

/** A noun of the model, or a feature: `src/server/model/rooms`. */
function room(path: string): string {
  return path.split('/', 4).join('/')
}

function findViolations(prefix: string, wrong: (from: string, to: string) => boolean): string[] {
  return sources
    .filter((file) => file.path.startsWith(prefix))
    .flatMap((file) => file.imports.filter((to) => wrong(file.path, to)).map((to) => `${file.path} imports ${to}`))
}
