import type { MessageId } from '../protocol/ids.ts'

const hashPattern = /^#message-([1-9]\d{0,15})$/

/** The part of a room's URL that names a message. */
export function messageHash(id: MessageId): string {
  return `#message-${id}`
}

/** The message that the part of a URL names; null without one. */
export function messageOfHash(hash: string): MessageId | null {
  const id = hashPattern.exec(hash)?.[1]
  return id === undefined ? null : Number(id)
}
