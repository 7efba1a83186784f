import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '../drivers/site-process.ts'

/*
 * Reads the container's files with regular expressions: they are written in a fixed, simple form.
 */

const read = (file: string) => readFileSync(join(PROJECT_ROOT, file), 'utf8')

/** The image's command, its environment variables and its version of LiteFS. */
export function readImage(): { command: [string, ...string[]]; environment: Record<string, string>; litefs: string } {
  const dockerfile = read('Dockerfile')
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  const settings = [...last.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) => line.split(' '))
  return {
    command: JSON.parse(/^CMD (\[.+\])$/m.exec(last)?.[1] ?? '["no command"]') as [string, ...string[]], // Docker's exec form
    environment: Object.fromEntries(settings.map((setting) => setting.split('=') as [string, string])), // NAME=value
    litefs: /^FROM flyio\/litefs:(\S+) AS litefs$/m.exec(dockerfile)?.[1] ?? 'no LiteFS',
  }
}

/** The environment variables of one region in compose.yaml. */
export function readComposeEnvironment(region: string): Record<string, string> {
  const compose = read('compose.yaml')
  const shared = readIndentedBlock(compose, /^x-environment:.*$/m)
  const own = readIndentedBlock(
    compose.slice(compose.search(new RegExp(`^ {2}${region}:$`, 'm'))),
    /^ {4}environment:$/m,
  )
  return { ...parseConfig(shared), ...parseConfig(own) }
}

/** The variables that litefs.yml expands. */
export function readLitefsVariables(): string[] {
  return [...new Set([...read('litefs.yml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name))]
}

/** The version of LiteFS that the tests run. */
export function readPinnedLitefs(): string {
  return /superfly\/litefs v(\S+)/.exec(read('tools/go.mod'))?.[1] ?? 'none'
}

/** The names of the site's settings, from src/server/kernel/config.ts. */
export function readSettingNames(): string[] {
  return [...read('src/server/kernel/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name)
}

/** The lines after the head that are indented more than it. Throws when there is no such head. */
function readIndentedBlock(text: string, head: RegExp): string {
  const match = head.exec(text)
  if (!match) throw new Error(`compose.yaml has no ${head}`)
  const indentation = match[0].search(/\S/)
  const lines = text.slice(match.index + match[0].length + 1).split('\n')
  const end = lines.findIndex((line) => line.trim() !== '' && line.search(/\S/) <= indentation)
  return lines.slice(0, end < 0 ? undefined : end).join('\n')
}

function parseConfig(lines: string): Record<string, string> {
  const settings = [...lines.matchAll(/^ +([A-Z][A-Z_]+): (.+)$/gm)]
  return Object.fromEntries(settings.map(([, name, value = '']) => [name, value.replace(/^"(.*)"$/, '$1')]))
}
