import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type { Schema } from '../../shared/protocol/define.ts'
import { entities } from './catalogue.ts'

// What JSON Schema has no word for and no reader of it needs: how text is evened out before it is looked at.
const ignoreActions = ['check', 'normalize', 'trim']

const config = {
  typeMode: 'input',
  errorMode: 'throw',
  ignoreActions,
  definitions: entities,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  // JSON Schema reads every pattern as if it had the u flag; another flag still throws.
  overrideAction: ({ valibotAction, jsonSchema }) =>
    valibotAction.type === 'regex' && unicodePattern(valibotAction)
      ? { ...jsonSchema, pattern: unicodePattern(valibotAction) }
      : null,
} satisfies ConversionConfig

/**
 * What a wire schema takes, as JSON Schema (draft-07, which AsyncAPI 3.0 reads; OpenAPI 3.1 reads all of it that we
 * use). Entities are references into `components.schemas`. Throws when a schema says what JSON Schema cannot.
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
