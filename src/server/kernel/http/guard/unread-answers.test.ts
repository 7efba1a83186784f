import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { UnreadAnswers } from './unread-answers.ts'

const MAX_STALL_MS = 30_000

/** A socket of whose answer the system has taken nothing yet, and the fields that are looked at. */
function openSocket(answerBytes: number) {
  const handle = { writeQueueSize: answerBytes }
  const fields = { bytesWritten: answerBytes, writableLength: answerBytes, _handle: handle, once: () => {} }
  const unreadAnswers = new UnreadAnswers(MAX_STALL_MS)
  unreadAnswers.add(fields as unknown as Socket, 0)
  /** The system takes bytes of the one buffer that the answer is. */
  const take = (bytes: number) => {
    handle.writeQueueSize -= bytes
  }
  /** The second in which it is found, looked at once a second; 600 if it never is. */
  const secondsUntilStalled = (each: (second: number) => void = () => {}) => {
    for (let second = 1; second < 600; second++) {
      each(second)
      if (unreadAnswers.findStalled(second * 1000).length > 0) return second
    }
    return 600
  }
  return { fields, take, secondsUntilStalled }
}

describe('an answer', () => {
  it('[HTTP-15] is stalled 30 to 32 seconds after the system has last taken bytes of it', () => {
    const unread = openSocket(1_000)
    expect(unread.secondsUntilStalled()).toBe(31)
    const begun = openSocket(1_000)
    expect(begun.secondsUntilStalled((second) => second <= 10 && begun.take(50))).toBe(40)
  })

  it('[HTTP-15] is not stalled while it is read slowly, nor before it is there', () => {
    const slow = openSocket(10_000)
    expect(slow.secondsUntilStalled((second) => second % 29 === 0 && slow.take(1))).toBe(600)
    const waiting = openSocket(0)
    expect(waiting.secondsUntilStalled()).toBe(600)
  })

  it('[HTTP-15] is stalled even if more answers are written behind it', () => {
    const { fields, secondsUntilStalled } = openSocket(1_000)
    const pipelined = secondsUntilStalled((second) => {
      if (second % 20 !== 0) return
      fields.bytesWritten += 1_000
      fields.writableLength += 1_000
    })
    expect(pipelined).toBe(31)
  })
})
