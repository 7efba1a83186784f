import type { JsonSchema } from '@valibot/to-json-schema'
import { describe, expect, it } from 'vitest'
import type { CommandSpec, EventSpec, PersonLimit, RouteSpec } from '../../shared/protocol/define.ts'
import { commands, events, routes } from './catalogue.ts'
import { toNamedJsonSchemas, toWireJsonSchema } from './json-schema.ts'

const everyCommand = Object.entries<CommandSpec>(commands)
const everyEvent = Object.entries<EventSpec>(events)
const everyRoute = Object.entries<RouteSpec>(routes)
/** Ids that clients make up; all others are rows of ours. */
const clientGeneratedFields = ['browserId', 'tabId', 'clientId']
/** A route that anyone may call knows no person: nothing is theirs to limit, to compare or to keep. */
const NO_ACTOR_METADATA = { limiter: null, identityFields: [], retry: 'none' }
/** It sets values, so that a second try changes nothing more, and it checks the current password, which the first one changed. */
const UNKEYED_WRITES = new Set(['updateProfile'])

describe.each(everyCommand)(
  'the command %s',
  (name, { input, answer, access, limiter, retry, identityFields, description }) => {
    const fields = fieldsOf(toWireJsonSchema(input))

    it('[LIVE-31] says what it does and who may send it', () => {
      expect(description).toMatch(/^[A-Z].*\.$/s)
      expect(['signedIn', 'member', 'rootadmin']).toContain(access)
      expect(isLimit(limiter)).toBe(true)
      expect(name).toMatch(/^[a-z][A-Za-z]*$/)
    })

    it('[LIVE-31] takes bounded input, and anything at all only where it looks at who the client says it is', () => {
      expect(fields.filter(({ schema }) => isUnbounded(schema)).map(({ path }) => path)).toEqual([])
      const anything = fields.filter(({ schema }) => Object.keys(schema).length === 0)
      expect(anything.filter(({ path }) => !identityFields.includes(path)).map(({ path }) => path)).toEqual([])
    })

    it('[LIVE-07] lets the client leave out who it is', () => {
      const { properties = {}, required = [] } = toWireJsonSchema(input)
      for (const field of identityFields) {
        expect(properties).toHaveProperty(field)
        expect(required).not.toContain(field)
      }
    })

    it('[LIVE-21] takes a clientId exactly where a retry has one effect', () => {
      const clientId = fields.find(({ path }) => path === 'clientId')
      expect(clientId?.schema.format).toBe(retry === 'clientId' ? 'uuid' : undefined)
    })

    it('[LIVE-31] has ids and times that are integers', () => {
      expect(unboundedNumbers([...fields, ...fieldsOf(toWireJsonSchema(answer))])).toEqual([])
    })
  },
)

describe.each(everyEvent)('the event %s', (_, { payload, isLogged, description }) => {
  it('[LIVE-31] says what it tells, and its ids and times are integers', () => {
    expect(description).toMatch(/^[A-Z].*\.$/s)
    expect(typeof isLogged).toBe('boolean')
    expect(unboundedNumbers(fieldsOf(toWireJsonSchema(payload)))).toEqual([])
  })
})

describe.each(everyRoute)('the route %s', (name, spec) => {
  const { method, path, input, answer, access, limiter, identityFields, retry, description } = spec
  const fields = fieldsOf(toWireJsonSchema(input))

  it('[LIVE-31] says what it does and who may ask', () => {
    expect(description).toMatch(/^[A-Z].*\.$/s)
    expect(['anyone', 'signedIn', 'member', 'rootadmin']).toContain(access)
    expect(method).toMatch(/^(?:GET|POST|PUT|DELETE)$/)
  })

  it('[LIVE-31] limits a person, and checks who they say they are, only where it knows who asks', () => {
    expect(isLimit(limiter)).toBe(true)
    if (access === 'anyone') expect({ limiter, identityFields, retry }).toEqual(NO_ACTOR_METADATA)
    for (const field of identityFields) expect(fields.map(({ path: known }) => known)).toContain(field)
  })

  it('[HTTP-06] takes an Idempotency-Key if it writes for a person', () => {
    const isKeyed = method !== 'GET' && access !== 'anyone' && !UNKEYED_WRITES.has(name)
    expect(retry).toBe(isKeyed ? 'idempotencyKey' : 'none')
  })

  it('[LIVE-31] takes bounded input, the parameters of its path included', () => {
    expect(fields.filter(({ schema }) => isUnbounded(schema)).map(({ path: field }) => field)).toEqual([])
    const parameters = [...path.matchAll(/:(\w+)/g)].map((match) => match[1])
    expect(fields.map(({ path: field }) => field)).toEqual(expect.arrayContaining(parameters))
  })

  it('[LIVE-31] answers with ids and times that are integers', () => {
    expect(unboundedNumbers(fieldsOf(toWireJsonSchema(answer)))).toEqual([])
  })
})

describe('the catalogue as a whole', () => {
  it('[LIVE-31] has entities whose ids and times are integers', () => {
    for (const [name, schema] of Object.entries(toNamedJsonSchemas()))
      expect(unboundedNumbers(fieldsOf(schema)), name).toEqual([])
  })

  it('[LIVE-31] has no two routes at one place', () => {
    const places = everyRoute.map(([, { method, path }]) => `${method} ${path.replace(/:\w+/g, ':')}`)
    expect(new Set(places).size).toBe(places.length)
  })

  it('[LIVE-31] keeps every name that two features might both have taken', () => {
    const files = import.meta.glob<Record<string, object>>(
      ['../../shared/*/protocol.ts', '../../shared/*/*-protocol.ts'],
      { eager: true },
    )
    for (const kind of ['commands', 'events', 'routes']) {
      const named = Object.values(files).flatMap((file) => Object.keys(file[kind] ?? {}))
      const kept = { commands, events, routes }[kind] ?? {}
      expect(named.toSorted(), kind).toEqual(Object.keys(kept).toSorted())
    }
  })
})

function isLimit(limiter: PersonLimit | null): boolean {
  return limiter === null || (limiter.points > 0 && limiter.perMs > 0)
}

interface Field {
  path: string
  schema: JsonSchema
}

/** Every field at any depth, by its path: `replyTo.id`, `users.*.username`. */
function fieldsOf(schema: JsonSchema, path = ''): Field[] {
  const at = (name: string) => (path ? `${path}.${name}` : name)
  const inObject = Object.entries(schema.properties ?? {}).map(([name, field]): [string, unknown] => [at(name), field])
  const inArray = [schema.items ?? []].flat().map((item): [string, unknown] => [at('*'), item])
  const inUnion = (schema.anyOf ?? []).map((option): [string, unknown] => [path, option])
  return [...inObject, ...inArray, ...inUnion].flatMap(([name, field]) => {
    return isSchema(field) ? [{ path: name, schema: field }, ...fieldsOf(field, name)] : []
  })
}

function isSchema(schema: unknown): schema is JsonSchema {
  return typeof schema === 'object' && schema !== null
}

function isUnbounded({ type, maxLength, enum: options, format, pattern, maxItems }: JsonSchema): boolean {
  if (type === 'array') return maxItems === undefined
  const isBoundedPattern = pattern !== undefined && /^\^[^*+]*\$$/.test(pattern)
  return type === 'string' && !maxLength && !options && format !== 'uuid' && !isBoundedPattern
}

function unboundedNumbers(fields: Field[]): string[] {
  return fields.flatMap(({ path, schema }) => {
    const name = path.split('.').at(-1) ?? ''
    const isId = /^id$|Id$/.test(name) && !clientGeneratedFields.includes(name)
    const isTime = /At$|^serverTime$|Date$/.test(name)
    const isOdd =
      schema.type === 'number' || ((isId || isTime) && !schema.anyOf && !/integer|null/.test(`${schema.type}`))
    return isOdd ? [path] : []
  })
}
