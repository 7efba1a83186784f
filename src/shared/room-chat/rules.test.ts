import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CONSECUTIVE_MESSAGES_PAUSE_MS, JOIN_WAIT_MS, MAX_CONSECUTIVE_MESSAGES } from './limits.ts'
import { normaliseMessage } from './rules.ts'
import { checkSendLimits, type PreviousMessage } from './send-limits.ts'

describe('foldMessage', () => {
  it.each([
    '',
    '   ',
    '\n\t\r\n',
    '\u200B',
    '\u200D\u2060\uFEFF',
    '\u0000\u0007',
    '\u3164 \u2800',
    '\u00AD\uFE0F',
    '\u202E',
  ])('[CHAT-02] ignores %j without visible characters', (text) => {
    expect(normaliseMessage(text)).toBe('')
  })

  it.each([
    ['white space around it', '  selam \n', 'Selam'],
    ['every kind of newline', 'bir\r\niki\rüç\u2028dört', 'Bir\niki\nüç\ndört'],
    ['control characters', 'se\u0000l\u001Bam\u007F', 'Selam'],
    ['overrides of the direction', '\u202Eselam\u2066', 'Selam'],
    ['an invisible beginning', '\u200B\u200Bselam', 'Selam'],
    ['a shortcode that is not text', ':) selam', '🙂 selam'],
  ])('[CHAT-03] normalises %s', (_, text, folded) => {
    expect(normaliseMessage(text)).toBe(folded)
  })

  it.each(['❤️', '👨‍👩‍👧', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'Sütun\tsütun', 'نص عربي'])('[CHAT-03] keeps %j whole', (text) => {
    expect(normaliseMessage(text)).toBe(text)
  })

  it('[CHAT-03] is idempotent and never lengthens a message', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(':)', ':heart:', 'xd', 'xD', 'i', 'ß', ' ', '\r', '\n', '\u200B', '\u0000', '\u2028'),
    )
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (text) => {
          const once = normaliseMessage(text)
          return normaliseMessage(once) === once && once.length <= text.length
        },
      ),
    )
  })
})

const ownPreviousMessage = (run: number, ageMs = 0): PreviousMessage => ({ isOwn: true, consecutiveCount: run, ageMs })
const afterJoinWait = { exempt: false, inRoomForMs: JOIN_WAIT_MS }

describe('chatVerdict', () => {
  it.each([0, 1, 9_999])(
    '[CHAT-05] makes a user who entered %i ms ago wait for the rest of 10 seconds',
    (inRoomForMs) => {
      expect(checkSendLimits({ exempt: false, inRoomForMs, last: null })).toEqual({
        refused: 'JustJoined',
        waitMs: 10_000 - inRoomForMs,
      })
    },
  )

  it('[CHAT-05] allows a message 10 seconds after entering', () => {
    expect(checkSendLimits({ ...afterJoinWait, last: null })).toEqual({ consecutiveCount: 1 })
  })

  it('[CHAT-06] counts to 4 in a row and refuses the fifth until 30 seconds have passed', () => {
    for (const run of [1, 2, 3])
      expect(checkSendLimits({ ...afterJoinWait, last: ownPreviousMessage(run) })).toEqual({
        consecutiveCount: run + 1,
      })
    expect(checkSendLimits({ ...afterJoinWait, last: ownPreviousMessage(4, 12_000) })).toEqual({
      refused: 'TooManyInARow',
      waitMs: 18_000,
    })
    expect(checkSendLimits({ ...afterJoinWait, last: ownPreviousMessage(4, 29_999) })).toEqual({
      refused: 'TooManyInARow',
      waitMs: 1,
    })
  })

  it('[CHAT-07] starts over after 30 seconds', () => {
    expect(checkSendLimits({ ...afterJoinWait, last: ownPreviousMessage(4, 30_000) })).toEqual({ consecutiveCount: 1 })
  })

  it("[CHAT-07] starts over after another user's message", () => {
    expect(checkSendLimits({ ...afterJoinWait, last: { isOwn: false, consecutiveCount: 4, ageMs: 0 } })).toEqual({
      consecutiveCount: 1,
    })
  })

  it('[CHAT-08] allows and does not count messages of exempt users', () => {
    expect(checkSendLimits({ exempt: true, inRoomForMs: 0, last: ownPreviousMessage(4) })).toEqual({
      consecutiveCount: 0,
    })
    expect(checkSendLimits({ ...afterJoinWait, last: ownPreviousMessage(0) })).toEqual({ consecutiveCount: 1 })
  })

  it('[CHAT-06] never returns a wait over the limit, for any clock', () => {
    const arbitraryState = fc.record({
      exempt: fc.boolean(),
      inRoomForMs: fc.integer(),
      last: fc.option(
        fc.record({
          isOwn: fc.boolean(),
          consecutiveCount: fc.integer({ min: 0, max: MAX_CONSECUTIVE_MESSAGES }),
          ageMs: fc.integer(),
        }),
      ),
    })
    fc.assert(
      fc.property(arbitraryState, (situation) => {
        const verdict = checkSendLimits(situation)
        if ('consecutiveCount' in verdict)
          return verdict.consecutiveCount >= 0 && verdict.consecutiveCount <= MAX_CONSECUTIVE_MESSAGES
        const longest = verdict.refused === 'JustJoined' ? JOIN_WAIT_MS : CONSECUTIVE_MESSAGES_PAUSE_MS
        return verdict.waitMs > 0 && verdict.waitMs <= longest
      }),
    )
  })

  it('[CHAT-06] never allows more than 4 in a row within 30 seconds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 8_000 }), { maxLength: 60 }), (pauses) => {
        let now = 0
        let last: { consecutiveCount: number; at: number } | null = null
        const sent: number[] = []
        for (const pause of pauses) {
          now += pause
          const verdict = checkSendLimits({
            ...afterJoinWait,
            last: last && ownPreviousMessage(last.consecutiveCount, now - last.at),
          })
          if (!('consecutiveCount' in verdict)) continue
          sent.push(now)
          last = { consecutiveCount: verdict.consecutiveCount, at: now }
        }
        return sent.every(
          (at, index) => index % 4 !== 0 || index === 0 || at - (sent[index - 1] ?? 0) >= CONSECUTIVE_MESSAGES_PAUSE_MS,
        )
      }),
    )
  })
})
