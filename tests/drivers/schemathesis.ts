import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PROJECT_ROOT } from './site-process.ts'

const execute = promisify(execFile)
const REQUIREMENTS = join(PROJECT_ROOT, 'tools/schemathesis/requirements.txt')
const FOLDER = join(PROJECT_ROOT, '.cache/schemathesis')
const STAMP = join(FOLDER, 'installed.txt')

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'allow_header_conformance',
]

/** Installs the pinned versions into a virtual environment of the project, once. Throws and says what is missing. */
export async function installSchemathesis(): Promise<void> {
  const wanted = readFileSync(REQUIREMENTS, 'utf8')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  mkdirSync(join(PROJECT_ROOT, '.cache'), { recursive: true })
  try {
    await execute('python3', ['-m', 'venv', '--clear', FOLDER])
    await execute(join(FOLDER, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS])
  } catch (error) {
    throw new Error(
      'Schemathesis could not be installed. It needs Python 3.10 with venv and pip, and once a registry of packages: ' +
        `python3 -m venv .cache/schemathesis && .cache/schemathesis/bin/pip install -r tools/schemathesis/requirements.txt`,
      { cause: error },
    )
  }
  writeFileSync(STAMP, wanted)
}

export interface ApiRun {
  origin: string
  token: string | null
  /** Operations that are left out. */
  excluded: readonly string[]
  phases: string
  examples: number
  seed: number
}

/** The report of a run over the site's own description; `isPassed` when every check held. */
export async function fuzzApi(run: ApiRun): Promise<{ isPassed: boolean; report: string }> {
  const { origin, token, excluded, phases, examples, seed } = run
  const options = [
    ...(token === null ? [] : ['--header', `Authorization: Bearer ${token}`]),
    ...excluded.flatMap((operation) => ['--exclude-operation-id', operation]),
    ...['--checks', CHECKS.join(','), '--phases', phases, '--max-examples', `${examples}`, '--seed', `${seed}`],
    ...['--generation-database', 'none', '--no-color', '--no-shrink', '--warnings', 'off', '--url', `${origin}/api`],
  ]
  const command = execute(join(FOLDER, 'bin/st'), ['run', ...options, `${origin}/api/openapi.json`], {
    maxBuffer: 64 * 1024 * 1024,
    cwd: FOLDER,
  })
  try {
    return { isPassed: true, report: (await command).stdout }
  } catch (error) {
    if (error instanceof Error && 'stdout' in error && error.stdout)
      return { isPassed: false, report: `${error.stdout}` }
    throw error
  }
}
