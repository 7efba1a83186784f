import type { JsonSchema } from '@valibot/to-json-schema'
import { toNamedJsonSchemas, toWireJsonSchema } from '../../src/server/kernel/protocol/json-schema.ts'
import { commands, events } from '../../src/shared/protocol/catalogue.ts'
import { Kind } from '../../src/shared/protocol/frame.ts'
import { refusals } from '../../src/shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR, PROTOCOL_MINOR } from '../../src/shared/protocol/version.ts'

interface Message {
  title: string
  summary: string
  payload: JsonSchema
}

const channel = { $ref: '#/channels/live' }
const requestId: JsonSchema = { type: 'integer', minimum: 0, maximum: 0xffff_ffff }
const seq: JsonSchema = { type: 'integer', minimum: 0 }

/** The live protocol as an AsyncAPI 3.0 document, seen from the server: it receives commands and sends events. */
export function generateAsyncApi(): object {
  const messages = { ...commandMessages(), ...eventMessages(), refusal: refusalMessage() }
  const names = Object.keys(messages)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Meydan, the live protocol',
      version: `${PROTOCOL_MAJOR}.${PROTOCOL_MINOR}.0`,
      license: { name: 'MIT' },
      description: 'One MessagePack value per message; a frame holds one or more of them. See docs/protocol.md.',
    },
    defaultContentType: 'application/msgpack',
    channels: {
      live: {
        address: '/live',
        messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations: { ...commandOperations(), ...eventOperations() },
    components: { messages, schemas: toNamedJsonSchemas() },
  }
}

function commandMessages(): Record<string, Message> {
  const pairs = Object.entries(commands).flatMap(([name, { input, answer, description }]): [string, Message][] => [
    [
      requestName(name),
      message(name, description, [{ const: Kind.request }, requestId, { const: name }, toWireJsonSchema(input)]),
    ],
    [
      answerName(name),
      message(name, `The answer to ${name}.`, [{ const: Kind.answer }, requestId, toWireJsonSchema(answer)]),
    ],
  ])
  return Object.fromEntries(pairs)
}

function eventMessages(): Record<string, Message> {
  const pairs = Object.entries(events).map(([name, { payload, isLogged, description }]): [string, Message] => {
    const head: JsonSchema[] = isLogged ? [{ const: Kind.event }, seq] : [{ const: Kind.ephemeral }]
    return [eventMessageName(name), message(name, description, [...head, { const: name }, toWireJsonSchema(payload)])]
  })
  return Object.fromEntries(pairs)
}

function refusalMessage(): Message {
  const body: JsonSchema = {
    type: 'object',
    properties: {
      code: { type: 'string', enum: Object.keys(refusals) },
      message: { type: 'string' },
      path: { type: 'string' },
      waitMs: { type: 'number' },
      price: { type: 'number' },
      missing: { type: 'number' },
    },
    required: ['code', 'message'],
  }
  return message('refusal', 'The request was refused.', [{ const: Kind.refusal }, requestId, body])
}

function message(title: string, summary: string, items: JsonSchema[]): Message {
  return { title, summary, payload: { type: 'array', items, minItems: items.length } }
}

function commandOperations(): Record<string, object> {
  const operation = (name: string) => ({
    action: 'receive',
    channel,
    messages: [channelRef(requestName(name))],
    reply: { channel, messages: [channelRef(answerName(name)), channelRef('refusal')] },
  })
  return Object.fromEntries(Object.keys(commands).map((name) => [`receive.${name}`, operation(name)]))
}

function eventOperations(): Record<string, object> {
  const operation = (name: string) => ({ action: 'send', channel, messages: [channelRef(eventMessageName(name))] })
  return Object.fromEntries(Object.keys(events).map((name) => [`send.${name}`, operation(name)]))
}

function channelRef(name: string): { $ref: string } {
  return { $ref: `#/channels/live/messages/${name}` }
}

function requestName(name: string): string {
  return `${name}.request`
}

function answerName(name: string): string {
  return `${name}.answer`
}

function eventMessageName(name: string): string {
  return `${name}.event`
}
