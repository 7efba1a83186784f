import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { commands, events, routes } from '../../../shared/protocol/catalogue.ts'
import { refusals } from '../../../shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR, PROTOCOL_MINOR, WIRE_FINGERPRINT } from '../../../shared/protocol/version.ts'
import { toNamedJsonSchemas, toWireJsonSchema } from './json-schema.ts'

it('[LIVE-32] a change of a wire schema requires a new minor version', () => {
  const fingerprint = computeWireFingerprint()
  expect(
    WIRE_FINGERPRINT,
    `The wire schemas are not those of version ${PROTOCOL_MAJOR}.${PROTOCOL_MINOR}. In version.ts, ` +
      'raise PROTOCOL_MINOR by one for the whole change, or PROTOCOL_MAJOR when a client of today would break; ' +
      'run this again and store the fingerprint that it then computes; then run npm run docs',
  ).toBe(fingerprint)
})

/** Includes the version, so that neither can change alone; excludes texts for users. */
function computeWireFingerprint(): string {
  const wire = [
    { PROTOCOL_MAJOR, PROTOCOL_MINOR, codes: Object.keys(refusals).sort(), entities: toNamedJsonSchemas() },
    mapSpecs(commands, ({ input, answer, access, retry }) => [
      access,
      retry,
      toWireJsonSchema(input),
      toWireJsonSchema(answer),
    ]),
    mapSpecs(events, ({ payload, isLogged }) => [isLogged, toWireJsonSchema(payload)]),
    mapSpecs(routes, ({ method, path, access, retry, input, answer }) => [
      [method, path, access, retry],
      [toWireJsonSchema(input), toWireJsonSchema(answer)],
    ]),
  ]
  return createHash('sha256').update(JSON.stringify(wire, sortKeys)).digest('hex').slice(0, 16)
}

function mapSpecs<T>(catalogue: Record<string, T>, describe: (spec: T) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(catalogue).map(([name, spec]) => [name, describe(spec)]))
}

/** The order of fields in a source file is not part of the wire. */
function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
