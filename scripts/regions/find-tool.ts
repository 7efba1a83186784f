import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program in Go that regions need and that `tools/` pins. */
export interface GoTool {
  name: string
  /** The environment variable with the path of an executable to use instead. */
  variable: string
  /** The folder of its go.mod, from the project's. */
  module: string
  /** Its main package. */
  program: string
}

/** The path of the executable, or the reason why it is missing. */
export type ToolLookup = { path: string } | { missing: string }

const root = join(import.meta.dirname, '../..')
const builtToolsFolder = join(root, '.cache/tools')

/** Finds the tool by its variable, in the folder of built tools, or in PATH. */
export function findTool(tool: GoTool): ToolLookup {
  const { [tool.variable]: named, PATH = '' } = process.env
  if (named && !isExecutable(named)) return { missing: `${tool.variable}=${named} is no executable` }
  const folders = [builtToolsFolder, ...PATH.split(delimiter)]
  const path = named || folders.map((folder) => join(folder, tool.name)).find(isExecutable)
  return path ? { path } : { missing: `there is no ${tool.name}` }
}

/** Like `findTool`, but builds the pinned version if it is missing. Needs Go; the first build takes minutes. */
export function ensureTool(tool: GoTool): ToolLookup {
  const found = findTool(tool)
  if ('path' in found || process.env[tool.variable]) return found
  if (spawnSync('go', ['version']).error) return { missing: `${found.missing} and no Go to build it with` }
  console.error(`No ${tool.name} found: building it into .cache/tools.`)
  return buildTool(tool)
}

/** Builds the tool into the folder of built tools; in no time when nothing has changed since. */
export function buildTool({ name, module, program }: Omit<GoTool, 'variable'>): ToolLookup {
  const path = join(builtToolsFolder, name)
  const cwd = join(root, module)
  const env = { ...process.env, CGO_ENABLED: '0' }
  try {
    execFileSync('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', path, program], {
      cwd,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  } catch (error) {
    return { missing: `building ${name} failed: ${error instanceof Error ? error.message : error}` }
  }
  return { path }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return existsSync(file)
  } catch {
    return false
  }
}
