import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Folders of the server that serve every feature; the rest below `src/server` are features (house.md, "Folders"). */
const SERVER_INFRASTRUCTURE = new Set([
  'database',
  'http',
  'limits',
  'live',
  'operations',
  'protocol',
  'regions',
  'render',
  'testing',
])
const sharedPackages = new Set(['valibot', '@msgpack/msgpack', '@valibot/to-json-schema'])
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
/** Files with write commands: those that a feature's `writes.ts` exports. */
const writeFiles = new Set(
  files.filter(({ path }) => /^src\/server\/[^/]+\/writes\.ts$/.test(path)).flatMap(({ imports }) => imports),
)

describe('allowed imports', () => {
  it('lets client files import client, shared and packages that run in a browser', () => {
    expect(findViolations('src/client/', (_, to) => !within(to, ['src/client', 'src/shared']))).toEqual([])
    expect(findViolations('src/client/', (_, to) => to.startsWith('node:'))).toEqual([])
  })

  it('lets shared files import shared and what every platform has', () => {
    const allowed = (to: string) => (isFile(to) ? within(to, ['src/shared']) : sharedPackages.has(to))
    expect(findViolations('src/shared/', (_, to) => !allowed(to))).toEqual([])
  })

  it('lets server files import server and shared, and only pages and the renderer what they render', () => {
    const allowed = (from: string, to: string) =>
      within(to, ['src/server', 'src/shared', 'migrations']) ||
      ((within(from, ['src/server/render']) || /\/pages?\.ts$/.test(from)) && within(to, ['src/client']))
    expect(findViolations('src/server/', (from, to) => !allowed(from, to))).toEqual([])
  })

  it('lets a server feature import of another one its queries, access, streams, transactions and write commands only', () => {
    const open = (to: string) =>
      ['queries.ts', 'access.ts', 'streams.ts', 'transactions.ts'].includes(basename(to)) || writeFiles.has(to)
    const crosses = (from: string, to: string) => {
      const [here, there] = [serverFeature(from), serverFeature(to)]
      return here !== null && there !== null && here !== there
    }
    expect(findViolations('src/server/', (from, to) => crosses(from, to) && !open(to))).toEqual([])
  })

  it('lets a server feature take only the command from a write file of another one: the rest is in transactions.ts', () => {
    const wrong = sources.filter(({ path }) => serverFeature(path)).flatMap(findFunctionsOfForeignWriteFiles)
    expect(wrong).toEqual([])
    const calling = {
      path: 'src/server/accounts/a.ts',
      text: "import { x } from '../relations/block-user.ts'",
    }
    expect(findFunctionsOfForeignWriteFiles(calling)).toEqual([
      'src/server/accounts/a.ts imports x of src/server/relations/block-user.ts',
    ])
  })

  it('names no feature where features are discovered: nobody imports a feature.ts, writes.ts or transaction-hooks.ts', () => {
    const isDiscovered = (to: string) => /^src\/server\/[^/]+\/(?:feature|writes|transaction-hooks)\.ts$/.test(to)
    expect(findViolations('src/', (_, to) => isDiscovered(to))).toEqual([])
  })

  it('names no feature in the core of the server, except presence and media, which serve every feature', () => {
    const isCore = (path: string) =>
      path !== 'src/server/admin.ts' && !path.startsWith('src/server/testing/') && serverFeature(path) === null
    const namesFeature = (to: string) => ![null, 'presence', 'media'].includes(serverFeature(to))
    expect(findViolations('src/server/', (from, to) => isCore(from) && namesFeature(to))).toEqual([])
  })

  it('has no import cycles, dynamic imports and globs counted', () => {
    const graph = new Map(sources.map(({ path, loads }) => [path, loads]))
    const [outer, inner, back] = [['inner'], ['back'], ['inner']]
    expect(findCycle(new Map(Object.entries({ outer, inner, back })))).toEqual(['inner', 'back', 'inner'])
    expect(findCycle(graph)?.join(' > ') ?? null).toBeNull()
  })

  it('keeps the parts of a conversation free of rooms, so that every kind of conversation can use them', () => {
    const ofRooms = (to: string) => isFile(to) && within(to, ['src/client/room-chat', 'src/client/rooms'])
    expect(findViolations('src/client/conversation/', (_, to) => ofRooms(to))).toEqual([])
  })

  it('keeps HTTP, pages and picture processing out of the writer thread, discovered files counted', () => {
    const loaded = loadedFrom('src/server/database/writer-thread.ts')
    const names = loaded.map(({ path }) => path)
    expect(names).toEqual(
      expect.arrayContaining([
        'src/server/moderation/ban-user.ts',
        'src/server/relations/transaction-hooks.ts',
        'src/server/accounts/file-references.ts',
      ]),
    )
    expect(names.filter((path) => /\.tsx$|routes\.ts$|^src\/(?:client|server\/render)\//.test(path))).toEqual([])
    const packages = new Set(loaded.flatMap((file) => file.packages))
    expect([...packages].filter((name) => /^(?:hono|@hono|sharp|react|ws|pino)\b/.test(name))).toEqual([])
  })

  it('loads .tsx through Vite only: no .ts file outside the renderer imports one', () => {
    const loads = (from: string, to: string) => isFile(to) && to.endsWith('.tsx') && from.endsWith('.ts')
    expect(
      findViolations('src/server/', (from, to) => loads(from, to) && !within(from, ['src/server/render'])),
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
    isTest: /\.test\.tsx?$/.test(path) || path.startsWith('src/server/testing/'),
    imports: found.map(({ to }) => to),
    loads: [...new Set([...loaded, ...globbedFiles(path, text), ...discoveredFiles(text)])],
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

// The files that the server finds by their names in the folders of all features (`globSync` with such a `cwd`).
function discoveredFiles(text: string): string[] {
  const calls = text.matchAll(/\bglobSync\((.+?), \{ cwd: (server|shared)Folder \}\)/g)
  return [...calls].flatMap(([, patterns = '', tier]) =>
    [...patterns.matchAll(/'([^']+)'/g)].flatMap(([, pattern]) => globSync(`src/${tier}/${pattern}`, { cwd: root })),
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

function serverFeature(path: string): string | null {
  const [, tier, folder, file] = path.split('/')
  return path.startsWith('src/') && tier === 'server' && folder && file && !SERVER_INFRASTRUCTURE.has(folder)
    ? folder
    : null
}

/** What a file imports from write files of other features beside write commands. */
function findFunctionsOfForeignWriteFiles({ path, text }: Pick<SourceFile, 'path' | 'text'>): string[] {
  return [...text.matchAll(/^import \{([^}]*)\} from '([^']+)'/gm)].flatMap(([, names = '', target = '']) => {
    const to = resolve(path, target)
    if (!writeFiles.has(to) || [null, serverFeature(path)].includes(serverFeature(to))) return []
    const commands = readFileSync(join(root, to), 'utf8').matchAll(/^export const (\w+) = defineWrite\(/gm)
    const allowed = new Set([...commands].map(([, name]) => name))
    const values = names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name && !name.startsWith('type '))
    return values.filter((name) => !allowed.has(name)).map((name) => `${path} imports ${name} of ${to}`)
  })
}

function findViolations(prefix: string, wrong: (from: string, to: string) => boolean): string[] {
  return sources
    .filter((file) => file.path.startsWith(prefix))
    .flatMap((file) => file.imports.filter((to) => wrong(file.path, to)).map((to) => `${file.path} imports ${to}`))
}
