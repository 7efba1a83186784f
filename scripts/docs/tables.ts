import type { JsonSchema } from '@valibot/to-json-schema'
import { toNamedJsonSchemas, toWireJsonSchema } from '../../src/server/kernel/protocol/json-schema.ts'
import { commands, events, routes } from '../../src/shared/protocol/catalogue.ts'
import { refusals } from '../../src/shared/protocol/refusals.ts'

const tables: Record<string, () => string> = {
  commands: () =>
    markdownTable(
      ['command', 'who', 'writes', 'payload', 'answer', 'what it does'],
      Object.entries(commands).map(([name, { access, retry, input, answer, description }]) => [
        inlineCode(name),
        inlineCode(access),
        retry === 'clientId' ? 'yes' : '',
        formatSchema(toWireJsonSchema(input)),
        formatSchema(toWireJsonSchema(answer)),
        description,
      ]),
    ),
  events: () =>
    markdownTable(
      ['event', 'kept', 'payload', 'what it says'],
      Object.entries(events).map(([name, { isLogged, payload, description }]) => [
        inlineCode(name),
        isLogged ? 'yes' : '',
        formatSchema(toWireJsonSchema(payload)),
        description,
      ]),
    ),
  entities: () =>
    markdownTable(
      ['entity', 'fields'],
      Object.entries(toNamedJsonSchemas()).map(([name, schema]) => [inlineCode(name), formatSchema(schema)]),
    ),
  routes: () =>
    markdownTable(
      ['route', 'who', 'key', 'input', 'answer', 'what it does'],
      Object.values(routes).map(({ method, path, access, retry, input, answer, description }) => [
        inlineCode(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
        inlineCode(access),
        retry === 'idempotencyKey' ? 'yes' : '',
        formatSchema(toWireJsonSchema(input)),
        formatSchema(toWireJsonSchema(answer)),
        description,
      ]),
    ),
  refusals: () =>
    markdownTable(
      ['code', 'status', 'message'],
      Object.entries(refusals).map(([name, { status, message }]) => [inlineCode(name), String(status), message]),
    ),
}

/** Returns the page with its generated tables replaced. Throws when the marker of a table is missing. */
export function fillTables(page: string): string {
  return Object.entries(tables).reduce((text, [name, rows]) => {
    const [start, end] = [`<!-- generated: ${name} -->\n`, '<!-- end -->']
    const from = text.indexOf(start)
    if (from < 0) throw new Error(`docs/protocol.md has no marker for the table of ${name}: ${start.trim()}`)
    const rest = text.slice(text.indexOf(end, from))
    return `${text.slice(0, from)}${start}\n${rows()}\n\n${rest}`
  }, page)
}

/** A schema in the short notation that docs/protocol.md explains. */
function formatSchema(schema: JsonSchema): string {
  return inlineCode(toNotation(schema))
}

function toNotation(schema: JsonSchema | boolean): string {
  if (typeof schema === 'boolean') return 'any'
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.const !== undefined) return literalNotation(schema.const)
  if (schema.enum) return schema.enum.map(literalNotation).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(toNotation).join(' | ')
  if (schema.type === 'object') return objectNotation(schema)
  if (schema.type === 'array')
    return Array.isArray(schema.items) ? tupleNotation(schema.items) : arrayNotation(schema.items ?? {})
  if (schema.type === 'integer') return 'int'
  if (schema.type === 'null') return 'nil'
  if (schema.type !== 'string') return schema.type?.toString() ?? 'any'
  if (schema.format) return schema.format
  return schema.maxLength === undefined ? 'text' : `text(${schema.maxLength})`
}

function objectNotation({ properties = {}, required = [] }: JsonSchema): string {
  const named = Object.entries(properties).map(([name, field]) => {
    return `${name}${required.includes(name) ? '' : '?'}: ${toNotation(field)}`
  })
  return `{${named.join(', ')}}`
}

function arrayNotation(item: JsonSchema | boolean): string {
  const one = toNotation(item)
  return one.includes(' | ') && !one.startsWith('{') ? `(${one})[]` : `${one}[]`
}

function tupleNotation(items: (JsonSchema | boolean)[]): string {
  return `[${items.map(toNotation).join(', ')}]`
}

function literalNotation(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function inlineCode(text: string): string {
  return `\`${text}\``
}

function markdownTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
