import type { JsonSchema } from '@valibot/to-json-schema'
import { toWireJsonSchema } from '../../src/server/kernel/protocol/json-schema.ts'
import type { CommandSpec } from '../../src/shared/protocol/define.ts'
import type { Payload } from '../../src/shared/protocol/frame.ts'

/** Values that no schema gives. */
export interface ExampleValues {
  token(): string
  /** A username without an account. */
  freshName(): string
}

/** A valid payload with only the required fields. */
export function createValidPayload(schema: CommandSpec['input'], examples: ExampleValues): Payload {
  const { properties = {}, required = [] } = toWireJsonSchema(schema)
  return Object.fromEntries(required.map((field) => [field, createExampleValue(field, properties[field], examples)]))
}

function createExampleValue(
  field: string,
  schema: JsonSchema | boolean | undefined,
  { token, freshName }: ExampleValues,
): unknown {
  if (field === 'token') return token()
  if (field === 'username' && typeof schema === 'object' && schema.pattern) return freshName()
  if (/^(?:password|age)$/.test(field)) return field === 'age' ? 30 : 'uzun bir metin'
  if (typeof schema !== 'object') return null
  if (schema.type === 'array') return []
  if (schema.type === 'boolean') return true
  if (schema.format === 'uuid') return '00000000-0000-4000-8000-000000000000'
  return schema.const ?? schema.enum?.[0] ?? (schema.type === 'string' && !schema.pattern ? 'metin' : 1)
}
