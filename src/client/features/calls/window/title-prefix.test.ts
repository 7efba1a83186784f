import { describe, expect, it } from 'vitest'
import { prefixed, unprefixed } from '../call-effects.ts'

const prefix = 'Ayşe arıyor · '

describe('the title while a call comes in', () => {
  it.each([
    ['#Meydan', 'Ayşe arıyor · #Meydan'],
    ['(3) #Meydan', '(3) Ayşe arıyor · #Meydan'],
    ['Ayşe arıyor · #Meydan', 'Ayşe arıyor · #Meydan'],
    ['(4) Ayşe arıyor · #Meydan', '(4) Ayşe arıyor · #Meydan'],
  ])('[CALLUI-09] of "%s" is "%s", once and after the number of what is unread', (title, expected) => {
    expect(prefixed(title, prefix)).toBe(expected)
  })

  it('[CALLUI-09] loses what was added, with the number that it has by then', () => {
    expect(unprefixed('(4) Ayşe arıyor · #Meydan', prefix)).toBe('(4) #Meydan')
    expect(unprefixed('Ayşe arıyor · #Meydan', prefix)).toBe('#Meydan')
    expect(unprefixed('(4) #Müzik', prefix)).toBe('(4) #Müzik')
  })
})
