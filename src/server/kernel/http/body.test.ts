import { expect, it } from 'vitest'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { readBody } from './body.ts'

const names = (count: number) => Array.from({ length: count }, (_, i) => `f${i}`)
const bodies = {
  'application/json': (count: number) => JSON.stringify(Object.fromEntries(names(count).map((name) => [name, 1]))),
  'application/x-www-form-urlencoded': (count: number) =>
    names(count)
      .map((name) => `${name}=1`)
      .join('&'),
}

it.each(Object.entries(bodies))('[HTTP-31] refuses more than 64 fields of %s with InvalidInput', async (type, make) => {
  const read = (count: number) =>
    readBody(
      new Request('http://localhost/', { method: 'POST', body: make(count), headers: { 'content-type': type } }),
      [],
    )
  const accepted = await read(64)
  if (accepted instanceof Refusal) expect.fail('64 fields were refused')
  expect(Object.keys(accepted.fields)).toEqual(names(64))
  const refused = await read(65)
  if (!(refused instanceof Refusal)) expect.fail('65 fields were accepted')
  expect(refused.body).toMatchObject({ code: 'InvalidInput', path: '' })
})
