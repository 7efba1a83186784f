import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatIban, hasIbanForm, isIban, normaliseIban } from './iban.ts'
import { editIban, IBAN_LENGTH, typedIban } from './iban-input.ts'

const VALID = 'TR330006100519786457841326'

/** Text as it may be typed or pasted: mostly what an IBAN has, and anything else. */
const typedText = fc.oneof(
  fc.string({ unit: fc.constantFrom('T', 'R', 't', 'r', ' ', '\u00a0', '3', '0', '7', 'ı', 'i', '-'), maxLength: 50 }),
  fc.string({ unit: 'grapheme', maxLength: 50 }),
)
const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 24, maxLength: 24 })

describe('the IBAN field', () => {
  it('[WITHDRAW-04] shows any input in upper case, without spaces, after TR, cut to 26 characters', () => {
    fc.assert(
      fc.property(typedText, (text) => {
        const iban = typedIban(text)
        expect(iban.startsWith('TR')).toBe(true)
        expect(iban.length).toBeLessThanOrEqual(IBAN_LENGTH)
        expect(iban).not.toMatch(/\s/)
        expect(iban.indexOf('TR', 2)).toBe(-1)
        expect(typedIban(iban)).toBe(iban)
        expect(typedIban(formatIban(iban))).toBe(iban)
      }),
    )
  })

  it('[WITHDRAW-04] keeps the digits of an IBAN, however it is written', () => {
    fc.assert(
      fc.property(digits, fc.boolean(), fc.boolean(), (number, hasPrefix, isLower) => {
        const written = `${hasPrefix ? 'TR' : ''}${number}`
        const text = formatIban(isLower ? written.toLowerCase() : written)
        expect(typedIban(` ${text} `)).toBe(`TR${number}`)
      }),
    )
  })

  it.each([
    ['', 'TR'],
    ['t', 'TR'],
    ['r12', 'TR12'],
    ['tr12 3456', 'TR123456'],
    ['TRTR33 0006', 'TR330006'],
    ['3TR12', 'TR312'],
    ['de89 3704', 'TRDE893704'],
    [`${VALID}99`, VALID],
  ])('[WITHDRAW-04] makes %j to %s', (text, iban) => {
    expect(typedIban(text)).toBe(iban)
  })

  it('[WITHDRAW-04] is shown in groups of four', () => {
    expect(formatIban(VALID)).toBe('TR33 0006 1005 1978 6457 8413 26')
    expect(formatIban('TR33')).toBe('TR33')
    expect(formatIban('TR330')).toBe('TR33 0')
  })
})

describe('the caret in the IBAN field', () => {
  /** The field with a caret `|`, after typing or deleting there. */
  function press(shown: string, key: string): string {
    const caret = shown.indexOf('|')
    const text = shown.replace('|', '')
    const previous = typedIban(text)
    const [left, right] = [text.slice(0, caret), text.slice(caret)]
    const edits = {
      Backspace: { text: left.slice(0, -1) + right, caret: Math.max(caret - 1, 0), deleted: 'backward' as const },
      Delete: { text: left + right.slice(1), caret, deleted: 'forward' as const },
    }
    const typed = { text: left + key + right, caret: caret + key.length, deleted: null }
    const after = editIban({ previous, ...(key === 'Backspace' || key === 'Delete' ? edits[key] : typed) })
    const grouped = formatIban(after.iban)
    return `${grouped.slice(0, after.caret)}|${grouped.slice(after.caret)}`
  }

  it.each([
    ['TR|', '3', 'TR3|'],
    ['TR33|', '0', 'TR33 0|'],
    ['TR3| 0006', '9', 'TR39 |0006'],
    ['TR33 |0006', '9', 'TR33 9|000 6'],
    ['TR33| 0006', '9', 'TR33 9|000 6'],
    ['|TR33', '9', 'TR9|3 3'],
    ['TR|', 'TR33 0006 1', 'TR33 0006 1|'],
    ['TR33 00|06', 'Backspace', 'TR33 0|06'],
    ['TR33 0|006', 'Backspace', 'TR33| 006'],
    ['TR33 |0006', 'Backspace', 'TR3|0 006'],
    ['TR33| 0006', 'Backspace', 'TR3|0 006'],
    ['TR|33', 'Backspace', 'TR|33'],
    ['TR33| 0106', 'Delete', 'TR33 |106'],
    ['TR33 |0106', 'Delete', 'TR33 |106'],
    ['|TR33', 'Delete', 'TR|33'],
    ['TR33 0|', 'Backspace', 'TR33|'],
  ])('[WITHDRAW-05] %s and %j lead to %s', (before, key, after) => {
    expect(press(before, key)).toBe(after)
  })

  it('[WITHDRAW-05] stays in the text and behind what was typed, for any edit', () => {
    const edit = fc.record({ text: typedText, at: fc.nat(60), deleted: fc.constantFrom('backward', 'forward', null) })
    fc.assert(
      fc.property(edit, typedText, ({ text, at, deleted }, before) => {
        const caret = Math.min(at, text.length)
        const after = editIban({ previous: typedIban(before), text, caret, deleted })
        const shown = formatIban(after.iban)
        expect(after.iban).toBe(typedIban(after.iban))
        expect(after.caret).toBeGreaterThanOrEqual(2)
        expect(after.caret).toBeLessThanOrEqual(shown.length)
        if (deleted === null)
          expect(normaliseIban(shown.slice(0, after.caret))).toBe(
            after.iban.slice(0, typedIban(text.slice(0, caret)).length),
          )
      }),
    )
  })

  it('[WITHDRAW-05] typing digit by digit at the end gives the IBAN', () => {
    let shown = 'TR|'
    for (const digit of VALID.slice(2)) shown = press(shown, digit)
    expect(shown).toBe('TR33 0006 1005 1978 6457 8413 26|')
    for (const _ of VALID.slice(2)) shown = press(shown, 'Backspace')
    expect(shown).toBe('TR|')
  })
})

describe('the check of an IBAN', () => {
  it('[WITHDRAW-06] asks for TR and 24 digits', () => {
    expect(hasIbanForm(VALID)).toBe(true)
    for (const wrong of ['TR', VALID.slice(0, -1), `${VALID}1`, VALID.replace('TR', 'DE'), `${VALID.slice(0, -1)}X`])
      expect([wrong, hasIbanForm(wrong)]).toEqual([wrong, false])
  })

  it('[WITHDRAW-07] refuses check digits below 02 and above 98, which agree modulo 97 with another pair', () => {
    const accountOf = (pair: string) =>
      Array.from({ length: 97 }, (_, number) => String(number).padStart(22, '0')).find((account) =>
        isIban(`TR${pair}${account}`),
      )
    for (const [pair, twin] of [
      ['00', '97'],
      ['01', '98'],
      ['99', '02'],
    ] as const) {
      const account = accountOf(twin)
      expect([twin, account]).toEqual([twin, expect.any(String)])
      expect([pair, isIban(`TR${pair}${account}`)]).toEqual([pair, false])
    }
  })

  it('[WITHDRAW-07] accepts exactly one pair of check digits for a number, and notices each changed digit', () => {
    fc.assert(
      fc.property(digits, fc.nat(21), fc.integer({ min: 1, max: 9 }), (number, index, by) => {
        const account = number.slice(2)
        const pairs = Array.from({ length: 97 }, (_, pair) => String(pair + 2).padStart(2, '0'))
        const valid = pairs.filter((pair) => isIban(`TR${pair}${account}`))
        expect(valid).toHaveLength(1)
        const changed = String((Number(account[index]) + by) % 10)
        expect(isIban(`TR${valid[0]}${account.slice(0, index)}${changed}${account.slice(index + 1)}`)).toBe(false)
      }),
    )
    expect(isIban(VALID)).toBe(true)
  })
})
