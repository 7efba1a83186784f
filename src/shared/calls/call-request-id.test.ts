import * as v from 'valibot'
import { expect, it } from 'vitest'
import { callIdOf, requestIdOf } from './call-request-id.ts'
import { CallId } from './protocol.ts'

it.each([
  '00000000-0000-4000-8000-000000000000',
  '0000000a-0bcd-4def-8123-456789abcdef',
  'ffffffff-ffff-4fff-bfff-ffffffffffff',
])('[REPORT-19] the number of %s names a call that is found by it', (callId) => {
  const named = callIdOf(requestIdOf(callId))
  expect(v.is(CallId, named)).toBe(true)
  expect(requestIdOf(named)).toBe(requestIdOf(callId))
})
