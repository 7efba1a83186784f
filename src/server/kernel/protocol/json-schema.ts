import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import { entities } from '../../../shared/protocol/catalogue.ts'
import type { Schema } from '../../../shared/protocol/define.ts'

// JSON Schema cannot express these actions, and readers of the documents do not need them.
const ignoreActions = ['check', 'normalize', 'trim']

const config = {
  typeMode: 'input',
  errorMode: 'throw',
  ignoreActions,
  definitions: entities,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  // JSON Schema patterns imply the u flag; other flags throw.
  overrideAction: ({ valibotAction, jsonSchema }) =>
    valibotAction.type === 'regex' && unicodePattern(valibotAction)
      ? { ...jsonSchema, pattern: unicodePattern(valibotAction) }
      : null,
} satisfies ConversionConfig

/**
 * The input type of a wire schema as JSON Schema draft-07, which AsyncAPI 3.0 and, for the keywords used here, OpenAPI
 * 3.1 read. Entities are references into `components.schemas`. Throws for schemas that JSON Schema cannot express.
 */
export function toWireJsonSchema(schema: Schema): JsonSchema {
  const { $schema: _dialect, $defs: _entities, ...converted } = toJsonSchema(schema, config)
  return converted
}

/** The entities by name, for `components.schemas`. */
export function toNamedJsonSchemas(): Record<string, JsonSchema> {
  return toJsonSchemaDefs(entities, config)
}

function unicodePattern(action: object): string | undefined {
  if (!('requirement' in action && action.requirement instanceof RegExp)) return undefined
  return action.requirement.flags === 'u' ? action.requirement.source : undefined
}
