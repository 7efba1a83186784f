import { expect, it } from 'vitest'
import { createPerson } from '../accounts/testing/person-fixture.ts'
import { canFilterByGender, matchesFilter } from './rules.ts'

it.each([
  ['rootadmin', 'guest', true],
  ['rootadmin', 'premium', true],
  ['member', 'premium', true],
  ['member', 'guest', false],
  ['guest', 'guest', false],
] as const)('[PRES-13] %s with status %s: may filter by gender: %s', (role, premiumStatus, may) => {
  expect(canFilterByGender({ role, premiumStatus })).toBe(may)
})

it.each([
  ['', 'Işıl', true],
  ['  ', 'Işıl', true],
  ['isil', 'Işıl', false],
  ['işil', 'IŞIL', true],
  [' Şı ', 'Işıl', true],
  ['.*', 'Işıl', false],
  ['ＡＤＡ', 'ada', true],
  ['ada', 'Adana', true],
])('[PRES-12] a search for "%s" finds %s: %s', (search, username, isFound) => {
  expect(matchesFilter({ search })(createPerson(1, username))).toBe(isFound)
})

it('[PRES-13] the gender filter matches only users of that gender', () => {
  const genders = ['female', 'male', 'other', null] as const
  const through = genders.filter((gender) => matchesFilter({ gender: 'female' })(createPerson(1, 'ada', { gender })))
  expect(through).toEqual(['female'])
})
