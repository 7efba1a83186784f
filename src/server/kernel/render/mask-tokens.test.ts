import { expect, it } from 'vitest'
import { type Boot, parseBoot } from '../../../client/core/session/boot.ts'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import { maskTokens } from './mask-tokens.ts'

const TOKENS = { token: `eyJhbGciOiJIUzI1NiJ9.${'e'.repeat(150)}.c2ln`, adminToken: 'eyJh.YWRtaW4.c2ln' }
const boot = { session: { user: createPerson(1, 'Işıl'), ...TOKENS } } satisfies Boot

it('[ROOM-26] masks the tokens of a page, in each page otherwise, and the browser reads them', () => {
  const [one, two] = [maskTokens(boot), maskTokens(boot)]
  expect([one, two].map((page) => parseBoot(JSON.stringify(page)))).toEqual([boot, boot])
  for (const kind of ['token', 'adminToken'] as const) {
    expect(one.session?.[kind]).not.toBe(two.session?.[kind])
    expect(Buffer.from(one.session?.[kind] ?? '', 'base64').toString('latin1')).not.toContain(TOKENS[kind])
  }
})

it.each<Boot>([{}, { session: null }])('leaves %j as it is', (without) => {
  expect(parseBoot(JSON.stringify(maskTokens(without)))).toEqual(without)
})
