import type { JsonSchema } from '@valibot/to-json-schema'
import { commands, events, routes } from '../../src/shared/protocol/catalogue.ts'
import { toNamedJsonSchemas, toWireJsonSchema } from '../../src/shared/protocol/json-schema.ts'
import { refusals } from '../../src/shared/protocol/refusals.ts'

const tables: Record<string, () => string> = {
  commands: () =>
    table(
      ['command', 'who', 'writes', 'payload', 'answer', 'what it does'],
      Object.entries(commands).map(([name, { access, writes, input, answer, description: about }]) => [
        code(name),
        code(access),
        writes ? 'yes' : '',
        shape(toWireJsonSchema(input)),
        shape(toWireJsonSchema(answer)),
        about,
      ]),
    ),
  events: () =>
    table(
      ['event', 'kept', 'payload', 'what it says'],
      Object.entries(events).map(([name, { isLogged: kept, payload, description: about }]) => [
        code(name),
        kept ? 'yes' : '',
        shape(toWireJsonSchema(payload)),
        about,
      ]),
    ),
  entities: () =>
    table(
      ['entity', 'fields'],
      Object.entries(toNamedJsonSchemas()).map(([name, schema]) => [code(name), shape(schema)]),
    ),
  routes: () =>
    table(
      ['route', 'who', 'input', 'answer', 'what it does'],
      Object.values(routes).map(({ method, path, access, input, answer, description: about }) => [
        code(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
        code(access),
        shape(toWireJsonSchema(input)),
        shape(toWireJsonSchema(answer)),
        about,
      ]),
    ),
  refusals: () =>
    table(
      ['code', 'status', 'message'],
      Object.entries(refusals).map(([name, { status, message }]) => [code(name), String(status), message]),
    ),
}

/** The page with each of its generated tables as the catalogue has it now. Throws when one has no place in it. */
export function fillTables(page: string): string {
  return Object.entries(tables).reduce((text, [name, rows]) => {
    const [start, end] = [`<!-- generated: ${name} -->\n`, '<!-- end -->']
    const from = text.indexOf(start)
    if (from < 0) throw new Error(`docs/protocol.md has no place for the table of ${name}: ${start.trim()}`)
    const rest = text.slice(text.indexOf(end, from))
    return `${text.slice(0, from)}${start}\n${rows()}\n\n${rest}`
  }, page)
}

/** A schema in the short notation that docs/protocol.md explains. */
function shape(schema: JsonSchema): string {
  return code(notation(schema))
}

function notation(schema: JsonSchema | boolean): string {
  if (typeof schema === 'boolean') return 'any'
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(notation).join(' | ')
  if (schema.type === 'object') return fields(schema)
  if (schema.type === 'array') return Array.isArray(schema.items) ? tuple(schema.items) : list(schema.items ?? {})
  if (schema.type === 'integer') return 'int'
  if (schema.type === 'null') return 'nil'
  if (schema.type !== 'string') return schema.type?.toString() ?? 'any'
  if (schema.format) return schema.format
  return schema.maxLength === undefined ? 'text' : `text(${schema.maxLength})`
}

function fields({ properties = {}, required = [] }: JsonSchema): string {
  const named = Object.entries(properties).map(([name, field]) => {
    return `${name}${required.includes(name) ? '' : '?'}: ${notation(field)}`
  })
  return `{${named.join(', ')}}`
}

function list(item: JsonSchema | boolean): string {
  const one = notation(item)
  return one.includes(' | ') && !one.startsWith('{') ? `(${one})[]` : `${one}[]`
}

function tuple(items: (JsonSchema | boolean)[]): string {
  return `[${items.map(notation).join(', ')}]`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function code(text: string): string {
  return `\`${text}\``
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
