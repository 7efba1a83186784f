import type { ProtocolValue } from './protocol-client.ts'

/** The parts of JSON Schema that docs/asyncapi.json uses. */
interface JsonSchema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema | JsonSchema[]
  minimum?: number
  maximum?: number
  maxLength?: number
}

/** An AsyncAPI document, as far as it is read here. */
export interface AsyncApiDocument {
  components: { messages: Record<string, { payload: JsonSchema }>; schemas: Record<string, JsonSchema> }
}

/** Why a value of the server is none of those that the document describes; empty when it is one. */
export function validateServerValue(document: AsyncApiDocument, value: ProtocolValue): string[] {
  const tries = Object.entries(document.components.messages).map(([name, { payload }]) => ({
    name,
    wrong: findSchemaErrors(document, payload, value, name),
  }))
  const fitting = tries.some(({ wrong }) => wrong.length === 0)
  // The variant with the fewest errors is most likely the intended one.
  return fitting
    ? []
    : (tries.map(({ wrong }) => wrong).toSorted((a, b) => a.length - b.length)[0] ?? ['nothing described'])
}

function findSchemaErrors(document: AsyncApiDocument, schema: JsonSchema, value: unknown, path: string): string[] {
  const named = schema.$ref?.split('/').at(-1)
  if (named) return findSchemaErrors(document, document.components.schemas[named] ?? {}, value, path)
  if (schema.anyOf) {
    const wrong = schema.anyOf.map((option) => findSchemaErrors(document, option, value, path))
    return wrong.some((list) => list.length === 0) ? [] : wrong.flat()
  }
  const own = isOfType(schema, value) ? [] : [`${path}: ${JSON.stringify(value)} is not ${JSON.stringify(schema)}`]
  return own.length ? own : findNestedErrors(document, schema, value, path)
}

function findNestedErrors(document: AsyncApiDocument, schema: JsonSchema, value: unknown, path: string): string[] {
  if (Array.isArray(value)) {
    const { items = [] } = schema
    return value.flatMap((item, at) => {
      const described = Array.isArray(items) ? items[at] : items
      return described
        ? findSchemaErrors(document, described, item, `${path}[${at}]`)
        : [`${path}[${at}] is not described`]
    })
  }
  if (!isRecord(value) || !schema.properties) return []
  const missing = (schema.required ?? []).filter((name) => !(name in value)).map((name) => `${path}.${name} is missing`)
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const described = schema.properties?.[name]
    return described
      ? findSchemaErrors(document, described, field, `${path}.${name}`)
      : [`${path}.${name} is not described`]
  })
  return [...missing, ...fields]
}

function isOfType(schema: JsonSchema, value: unknown): boolean {
  if ('const' in schema) return value === schema.const
  if (schema.enum) return schema.enum.includes(value)
  const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isRecord(value)
  if (type === 'integer') return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
  if (type === 'string')
    return typeof value === 'string' && value.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY)
  return type === undefined || typeof value === type
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
