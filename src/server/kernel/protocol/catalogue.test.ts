import type { JsonSchema } from '@valibot/to-json-schema'
import { describe, expect, it } from 'vitest'
import { commands, events, routes } from '../../../shared/protocol/catalogue.ts'
import type { CommandSpec, EventSpec, PersonLimit, RouteSpec } from '../../../shared/protocol/define.ts'
import { toNamedJsonSchemas, toWireJsonSchema } from './json-schema.ts'

const everyCommand = Object.entries<CommandSpec>(commands)
const everyEvent = Object.entries<EventSpec>(events)
const everyRoute = Object.entries<RouteSpec>(routes)
/** Ids of what has no row: made by clients, or that of a call, which its host keeps in memory. */
const fieldsWithoutRow = ['browserId', 'tabId', 'clientId', 'callId', 'acceptCallId']
/** A route that anyone may call has no actor, so it can have no limit, identity fields or idempotency key. */
const NO_ACTOR_METADATA = { limiter: null, identityFields: [], retry: 'none' }
/**
 * updateProfile is idempotent by itself, and a retry under a key would check the password that the first try changed.
 * checkRoomPassword may run again, and each look of a root admin is an entry of the action log.
 */
const UNKEYED_WRITES = new Set([
  'updateProfile',
  'checkRoomPassword',
  'confirmPassword',
  'linkedAccounts',
  'readHeldText',
])

describe.each(everyCommand)(
  'the command %s',
  (name, { input, answer, access, limiter, retry, identityFields, description }) => {
    const fields = fieldsOf(toWireJsonSchema(input))

    it('[LIVE-31] has a description, an access level and a valid limit', () => {
      expect(description).toMatch(/^[A-Z].*\.$/s)
      expect(['signedIn', 'member', 'rootadmin']).toContain(access)
      expect(isLimit(limiter)).toBe(true)
      expect(name).toMatch(/^[a-z][A-Za-z]*$/)
    })

    it('[LIVE-31] has bounded input; only identity fields accept any value', () => {
      expect(fields.filter(({ schema }) => isUnbounded(schema)).map(({ path }) => path)).toEqual([])
      const anything = fields.filter(({ schema }) => Object.keys(schema).length === 0)
      expect(anything.filter(({ path }) => !identityFields.includes(path)).map(({ path }) => path)).toEqual([])
    })

    it('[LIVE-07] has optional identity fields', () => {
      const { properties = {}, required = [] } = toWireJsonSchema(input)
      for (const field of identityFields) {
        expect(properties).toHaveProperty(field)
        expect(required).not.toContain(field)
      }
    })

    it('[LIVE-21] has a clientId if and only if it declares retry by clientId', () => {
      const clientId = fields.find(({ path }) => path === 'clientId')
      expect(clientId?.schema.format).toBe(retry === 'clientId' ? 'uuid' : undefined)
    })

    it('[LIVE-31] has ids and times that are integers', () => {
      expect(unboundedNumbers([...fields, ...fieldsOf(toWireJsonSchema(answer))])).toEqual([])
    })
  },
)

describe.each(everyEvent)('the event %s', (_, { payload, isLogged, description }) => {
  it('[LIVE-31] has a description, and integer ids and times', () => {
    expect(description).toMatch(/^[A-Z].*\.$/s)
    expect(typeof isLogged).toBe('boolean')
    expect(unboundedNumbers(fieldsOf(toWireJsonSchema(payload)))).toEqual([])
  })
})

describe.each(everyRoute)('the route %s', (name, spec) => {
  const { method, path, input, answer, access, limiter, identityFields, retry, description } = spec
  const fields = fieldsOf(toWireJsonSchema(input))

  it('[LIVE-31] has a description, an access level and a method', () => {
    expect(description).toMatch(/^[A-Z].*\.$/s)
    expect(['anyone', 'signedIn', 'member', 'rootadmin']).toContain(access)
    expect(method).toMatch(/^(?:GET|POST|PUT|DELETE)$/)
  })

  it('[LIVE-31] declares a limit and identity fields only if it has an actor', () => {
    expect(isLimit(limiter)).toBe(true)
    if (access === 'anyone') expect({ limiter, identityFields, retry }).toEqual(NO_ACTOR_METADATA)
    for (const field of identityFields) expect(fields.map(({ path: known }) => known)).toContain(field)
  })

  it('[HTTP-06] takes an Idempotency-Key if it writes for a user', () => {
    const isKeyed = method !== 'GET' && access !== 'anyone' && !UNKEYED_WRITES.has(name)
    expect(retry).toBe(isKeyed ? 'idempotencyKey' : 'none')
  })

  it('[LIVE-31] has bounded input, including path parameters', () => {
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

  it('[LIVE-31] has no two routes with the same method and path', () => {
    const endpoints = everyRoute.map(([, { method, path }]) => `${method} ${path.replace(/:\w+/g, ':')}`)
    expect(new Set(endpoints).size).toBe(endpoints.length)
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
  const pathOf = (name: string) => (path ? `${path}.${name}` : name)
  const inObject = Object.entries(schema.properties ?? {}).map(([name, field]): [string, unknown] => [
    pathOf(name),
    field,
  ])
  const inArray = [schema.items ?? []].flat().map((item): [string, unknown] => [pathOf('*'), item])
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
    const isId = /^id$|Id$/.test(name) && !fieldsWithoutRow.includes(name)
    const isTime = /At$|^serverTime$|Date$/.test(name)
    // Only an amount in lira, and a discount, have fractions; both have bounds.
    const isFraction = schema.type === 'number' && (schema.minimum === undefined || schema.maximum === undefined)
    const isUnboundedNumber =
      isFraction || ((isId || isTime) && !schema.anyOf && !/integer|null/.test(`${schema.type}`))
    return isUnboundedNumber ? [path] : []
  })
}
