import { describe, expect, it } from 'vitest'
import { deriveKeys } from '../accounts/keys.ts'
import { isTicketFor, ticketFor } from './tickets.ts'

const { files: key, link } = deriveKeys('a secret of more than thirty-two characters')
const hash = 'ab'.repeat(32)
const errand = { method: 'PUT', hash, size: 7 } as const
const ticket = ticketFor(key, errand)

describe('a ticket', () => {
  it('[FILE-14] is believed by whoever has the key', () => {
    expect(isTicketFor(key, errand, ticket)).toBe(true)
    expect(isTicketFor(link, errand, ticket)).toBe(false)
  })

  it('[FILE-15] is for one way, one hash and one size', () => {
    expect(isTicketFor(key, { ...errand, method: 'GET' }, ticket)).toBe(false)
    expect(isTicketFor(key, { ...errand, hash: 'ba'.repeat(32) }, ticket)).toBe(false)
    expect(isTicketFor(key, { ...errand, size: 8 }, ticket)).toBe(false)
    expect(isTicketFor(key, { ...errand, size: null }, ticket)).toBe(false)
    // Moving digits from one field into the next makes no other errand's ticket.
    const shifted = { method: 'PUT', hash: `${hash}\n7`, size: null } as const
    expect(isTicketFor(key, { method: 'PUT', hash, size: 7 }, ticketFor(key, shifted))).toBe(false)
  })

  it('[FILE-15] knows no time: the same errand always has the same one', () => {
    expect(ticketFor(key, errand)).toBe(ticket)
  })

  it.each([
    '',
    'Meydan-File',
    'Meydan-File ',
    `Bearer ${ticket.slice(12)}`,
    ticket.slice(0, -2),
    `${ticket}AA`,
    'x'.repeat(9000),
  ])('[FILE-14] is none when it is %j', (shown) => {
    expect(isTicketFor(key, errand, shown)).toBe(false)
  })
})
