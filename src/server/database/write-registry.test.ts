import { expect, it } from 'vitest'
import { defineWrite } from './define-write.ts'
import { createWriteRegistry, writeRegistry } from './write-registry.ts'

const write = defineWrite({
  name: 'once',
  origin: 'anyRegion',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run: () => ({ success: true }),
})

it('[LIVE-31] finds the write commands of every feature by their names', () => {
  expect([...writeRegistry.keys()]).toEqual(expect.arrayContaining(['sendMessage', 'banUser', 'blockUser', 'trimLog']))
})

it('[LIVE-31] refuses two write commands with the same name', () => {
  expect(() => createWriteRegistry([write, write])).toThrow('two write commands have the name once')
})
