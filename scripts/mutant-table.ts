/** A fault in the code, and the tests of `npm test` that must fail with it. */
export interface Mutant {
  file: string
  /** Text that stands once in the file. */
  find: string
  replace: string
  tests: readonly string[]
}

/** Over all features; the rows marked so were caught by deep tests alone before there were two tiers. */
export const mutants: readonly Mutant[] = [
  {
    file: 'src/server/accounts/roles/change-role.ts',
    find: 'if (target.id === actor.userId)',
    replace: "if (target.id === actor.userId && role === 'rootadmin')",
    tests: ['src/server/accounts/roles/change-role.test.ts'],
  },
  {
    file: 'src/server/accounts/sessions/session-keys.ts',
    find: 'presentedKey === key - 1 && isPreviousAccepted',
    replace: 'isPreviousAccepted',
    tests: ['src/server/accounts/sessions/session-keys.test.ts'],
  },
  {
    file: 'src/server/accounts/sign-in/sign-in-limits.ts',
    find: 'const pair = `${addressGroup(address)} ${foldedName}`',
    replace: 'const pair = foldedName',
    tests: ['src/server/accounts/sign-in/sign-in-limits.test.ts'],
  },
  {
    file: 'src/server/accounts/tokens/tokens.ts',
    find: "purpose === 'adminToken' || now",
    replace: 'true || now',
    tests: [
      'src/server/accounts/tokens/tokens.test.ts',
      'src/server/accounts/sign-in/routes.test.ts',
      'src/server/accounts/sessions/session-keys.test.ts',
    ],
  },
  {
    file: 'src/server/room-chat/send-message.ts',
    find: 'ageMs: tx.now - latest.createdAt,',
    replace: 'ageMs: Number.POSITIVE_INFINITY,',
    tests: ['src/server/room-chat/send-message.test.ts'],
  },
  {
    file: 'src/server/room-chat/transactions.ts',
    find: 'if (audience === null) tx.cached',
    replace: 'tx.cached',
    tests: ['src/server/room-chat/ghost-messages.test.ts'],
  },
  {
    file: 'src/server/room-entry/room-seats.ts',
    find: 'this.countReserved(roomId, userId) >= capacity',
    replace: 'this.countReserved(roomId, userId) > capacity',
    tests: ['src/server/room-entry/room-seats.test.ts'],
  },
  {
    file: 'src/server/direct-messages/send-direct-message.ts',
    find: 'for (const channel of channels) {',
    replace: 'for (const channel of channels.slice(1)) {',
    tests: ['src/server/direct-messages/direct-messages.test.ts'],
  },
  {
    file: 'src/server/relations/block-user.ts',
    find: "if (effect === 'both') endFollowsBetween",
    replace: "if (effect !== 'both') endFollowsBetween",
    tests: ['src/server/relations/follow-routes.test.ts'],
  },
  {
    file: 'src/server/notifications/transactions.ts',
    find: 'if (hasBlocked(tx.cached, recipientId, senderId) || isGhostAction',
    replace: 'if (isGhostAction',
    tests: ['src/server/notifications/notifications.test.ts'],
  },
  {
    file: 'src/client/notifications/mention-toasts.ts',
    find: "type === 'mention' && roomId !== live.roomId",
    replace: "type === 'mention'",
    tests: ['src/client/notifications/mention-toasts.test.ts'],
  },
  {
    file: 'src/client/live/live-client.ts',
    find: 'if (!resumed) this.cursor = cursor',
    replace: 'this.cursor = cursor',
    tests: ['src/client/live/live-client.test.ts'],
  },
  {
    file: 'src/client/live/socket.ts',
    find: "tooLarge ? refuseLocally('TooLarge') : 'disconnected'",
    replace: "tooLarge ? refuseLocally('TooLarge') : 'timedOut'",
    tests: ['src/client/live/live-client.test.ts', 'src/client/live/outbox.test.ts'],
  },
  {
    file: 'src/client/conversation/failure-toasts.ts',
    find: 'failed.some(({ clientId }) => waiting.has(clientId))',
    replace: 'failed.length > 0',
    tests: ['src/client/conversation/failure-toasts.test.ts'],
  },
  {
    file: 'src/client/conversation/store/history-loader.ts',
    find: 'if (removalGeneration !== this.removalGeneration) return this.tryRestore()',
    replace: '',
    tests: ['src/client/conversation/store/history-loader.test.ts', 'src/client/room-chat/blocking.test.ts'],
  },
  {
    file: 'src/client/conversation/store/message-store.ts',
    find: 'bubble.sender.id !== userId',
    replace: 'bubble.sender.id === userId',
    tests: ['src/client/room-chat/room-conversation.test.ts'],
  },
  {
    file: 'src/client/shell/toasts/toast-queue.ts',
    find: 'const MAX_VISIBLE_TOASTS = 2',
    replace: 'const MAX_VISIBLE_TOASTS = 3',
    tests: ['src/client/shell/toasts/toast-queue.test.ts'],
  },
  {
    file: 'src/client/ui/menu/place-menu.ts',
    find: 'window.width - menu.width - MENU_MARGIN',
    replace: 'window.width - menu.width',
    tests: ['src/client/ui/menu/place-menu.test.ts'],
  },
  // Only slow tests of whole sites, regions and browsers caught these before.
  {
    file: 'src/server/live/receive-limit.ts',
    find: 'return this.consume(byteLength + OVERHEAD_BYTES, isEarly, now)',
    replace: 'return this.consume(byteLength, isEarly, now)',
    tests: ['src/server/live/receive-limit.test.ts'],
  },
  {
    file: 'src/server/http/guard/guarded-server.ts',
    find: 'guarded.ends.size >= MAX_REQUESTS_PER_SOCKET',
    replace: 'guarded.ends.size > 1000',
    tests: ['src/server/http/guard/guarded-server.test.ts'],
  },
  {
    file: 'src/client/live/outbox.ts',
    find: "if (outcome === 'disconnected') return this.flush()",
    replace: "if (outcome === 'disconnected') return this.remove(entry.clientId)",
    tests: ['src/client/live/outbox.test.ts'],
  },
]
