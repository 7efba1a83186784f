/** A fault in the code, and the tests of `npm test` that must fail with it. */
export interface Mutant {
  file: string
  /** Text that stands once in the file. */
  find: string
  replace: string
  tests: readonly string[]
}

/** Over all features. The rows at the end are of kinds that only slow tests caught before there were two tiers. */
export const mutants: readonly Mutant[] = [
  {
    file: 'src/server/accounts/roles/change-role.ts',
    find: "    if (role === 'rootadmin') liftMutesOf(tx, actor, target.id)\n",
    replace: '',
    tests: ['src/server/sanctions/mutes.test.ts'],
  },
  {
    file: 'src/server/accounts/sessions/session-keys.ts',
    find: 'presentedKey === key - 1 && isPreviousAccepted',
    replace: 'isPreviousAccepted',
    tests: ['src/server/accounts/sessions/session-keys.test.ts'],
  },
  {
    file: 'src/server/accounts/sign-up/register-member.ts',
    find: "if (!isNameFree(holder, false, tx.now)) return refuse('UsernameTaken')",
    replace: "if (holder.isGuest === 0) return refuse('UsernameTaken')",
    tests: ['src/server/accounts/sign-up/register-member.test.ts'],
  },
  {
    file: 'src/server/rooms/access.ts',
    find: "return actor.role === 'rootadmin' || room.ownerId === actor.userId ? room : refuse('Forbidden')",
    replace: "return mayManageRoom(reader, actor, room) ? room : refuse('Forbidden')",
    tests: ['src/server/room-management/room-admins.test.ts'],
  },
  {
    file: 'src/server/room-chat/search-messages.ts',
    find: '.limit(SEARCH_PAGE_SIZE + 1)',
    replace: '.limit(SEARCH_PAGE_SIZE)',
    tests: ['src/server/room-chat/search-messages.test.ts'],
  },
  {
    file: 'src/server/room-chat/send-message.ts',
    find: 'ageMs: tx.now - latest.createdAt,',
    replace: 'ageMs: Number.POSITIVE_INFINITY,',
    tests: ['src/server/room-chat/send-message.test.ts'],
  },
  {
    file: 'src/server/room-entry/check-room-password.ts',
    find: '{ limit: ROOM_PASSWORD_TRIES_OF_ADDRESS, key: address, points: 1 }',
    replace: '{ limit: ROOM_PASSWORD_TRIES_OF_ADDRESS, key: userId, points: 1 }',
    tests: ['src/server/room-entry/passwords.test.ts'],
  },
  {
    file: 'src/server/room-orders/renew-room.ts',
    find: "if (row.ownerId !== actor.userId) return refuse('Forbidden')",
    replace: "if (actor.role === 'guest') return refuse('Forbidden')",
    tests: ['src/server/room-orders/renew-room.test.ts'],
  },
  {
    file: 'src/server/direct-messages/send-direct-message.ts',
    find: 'for (const channel of channels) {',
    replace: 'for (const channel of channels.slice(1)) {',
    tests: ['src/server/direct-messages/direct-messages.test.ts'],
  },
  {
    file: 'src/server/relations/follow-user.ts',
    find: 'isBlocked: isBlockedBetween(tx, followerId, followingId)',
    replace: 'isBlocked: false',
    tests: ['src/server/relations/follow-routes.test.ts'],
  },
  {
    file: 'src/shared/profiles/view-rules.ts',
    find: "facts.followStatus === 'following'",
    replace: "facts.followStatus !== 'not_following'",
    tests: ['src/shared/profiles/view-rules.test.ts'],
  },
  {
    file: 'src/server/posts/access.ts',
    find: '(isArchived === 0 && canViewProfileOf(reader, viewer, userId))',
    replace: 'canViewProfileOf(reader, viewer, userId)',
    tests: ['src/server/posts/posts-access.test.ts'],
  },
  {
    file: 'src/server/notifications/transactions.ts',
    find: 'if (hasBlocked(tx.cached, recipientId, senderId) || isGhostAction',
    replace: 'if (isGhostAction',
    tests: ['src/server/notifications/transactions.test.ts'],
  },
  {
    file: 'src/server/calls/relay/stun.ts',
    find: 'if (!timingSafeEqual(integrity, data.subarray(integrityAt, integrityEnd))) return null',
    replace: 'if (integrity.length !== integrityEnd - integrityAt) return null',
    tests: ['src/server/calls/relay/stun.test.ts'],
  },
  {
    file: 'src/server/calls/start-call.ts',
    find: "return isBusy || !mayDisturb ? 'busy' : null",
    replace: "return isBusy ? 'busy' : null",
    tests: ['src/server/calls/call-disturbance.test.ts'],
  },
  {
    file: 'src/server/wallet/requests/requests.ts',
    find: "if (row.status !== 'pending') return",
    replace: 'if (row.status === decision) return',
    tests: ['src/server/wallet/star-requests/star-requests.test.ts'],
  },
  {
    file: 'src/server/wallet/transactions.ts',
    find: "(from === 'earned' ? withdrawableKurus : balanceKurus)",
    replace: 'balanceKurus',
    tests: ['src/server/wallet/withdrawals/withdrawals.test.ts'],
  },
  {
    file: 'src/shared/wallet/premium.ts',
    find: 'Math.max(endsAt ?? 0, now)',
    replace: 'now',
    tests: ['src/shared/wallet/premium.test.ts'],
  },
  {
    file: 'src/server/gifts/send-gift.ts',
    find: 'amountKurus: priceKurus - shareKurus',
    replace: 'amountKurus: priceKurus',
    tests: ['src/server/gifts/gifts.test.ts'],
  },
  {
    file: 'src/server/moderation/transactions.ts',
    find: 'endsAt, sourceId: ban.sourceId ?? ban.id })',
    replace: 'endsAt, sourceId: null })',
    tests: ['src/server/account-marks/ban-evasion.test.ts'],
  },
  {
    file: 'src/server/sanctions/access.ts',
    find: "?.role === 'rootadmin' ? null : refusal",
    replace: "?.role === 'rootadmin' ? refusal : null",
    tests: ['src/server/sanctions/mutes.test.ts'],
  },
  {
    file: 'src/server/reports/decide-reports.ts',
    find: 'if (target.id === actor.userId)',
    replace: "if (target.id === actor.userId && decision !== 'nothing')",
    tests: ['src/server/reports/decisions.test.ts'],
  },
  {
    file: 'src/server/audit/queries.ts',
    find: 'rangeOfDay(toDay).to',
    replace: 'rangeOfDay(toDay).from',
    tests: ['src/server/audit/list-actions.test.ts'],
  },
  {
    file: 'src/shared/text-filters/word-matcher.ts',
    find: 'read.count < pattern.count',
    replace: 'read.count !== pattern.count',
    tests: ['src/shared/text-filters/word-matcher.test.ts'],
  },
  {
    file: 'src/server/presence/roster.ts',
    find: "if (how === 'left') this.endLocalStay",
    replace: 'if (how) this.endLocalStay',
    tests: ['src/server/presence/roster.test.ts'],
  },
  {
    file: 'src/server/media/upload-routes.ts',
    find: 'if (!isFileName || !mayFetchFile(appContext, viewer, path))',
    replace: 'if (!isFileName)',
    tests: ['src/server/media/upload-routes.test.ts'],
  },
  {
    file: 'src/server/live/dispatch.ts',
    find: "if (access === 'rootadmin' && role !== 'rootadmin')",
    replace: "if (access === 'rootadmin' && role === 'guest')",
    tests: ['tests/contract/roles.test.ts'],
  },
  {
    file: 'src/server/live/dispatch.ts',
    find: "if (refused === 'Banned') appContext.publisher.endConnection(connection, CloseCode.banned, refused)",
    replace: "if (refused === 'Banned') appContext.publisher.endConnection(connection, CloseCode.notSignedIn, refused)",
    tests: ['src/server/moderation/ban-user.test.ts'],
  },
  {
    file: 'src/server/live/visibility.ts',
    find: "return actorId === viewer.userId || viewer.role === 'rootadmin'",
    replace: "return actorId === viewer.userId || viewer.role !== 'guest'",
    tests: ['src/server/posts/ghost-posts.test.ts'],
  },
  {
    file: 'src/server/http/same-site-path.ts',
    find: " || url.pathname.startsWith('//')",
    replace: '',
    tests: ['src/server/http/same-site-path.test.ts'],
  },
  {
    file: 'src/server/database/recent-events.ts',
    find: 'if (cursor < this.knownAfterSeq) return null',
    replace: 'if (cursor < 0) return null',
    tests: ['src/server/database/recent-events.test.ts'],
  },
  {
    file: 'src/server/database/run-idempotent.ts',
    find: "if (stored) return stored.isSame ? stored.answer : refuse('ClientIdReused')\n  if (rowFinders",
    replace: 'if (stored) return stored.answer\n  if (rowFinders',
    tests: ['src/server/database/writer.test.ts'],
  },
  {
    file: 'src/server/database/writer.ts',
    find: '(outcome) => !(outcome instanceof Refusal) || outcome instanceof RecordedRefusal',
    replace: '() => true',
    tests: ['src/server/wallet/withdrawals/withdrawals.test.ts'],
  },
  {
    file: 'src/server/operations/check-guest-message.ts',
    find: "?.role === 'guest'",
    replace: "?.role !== 'rootadmin'",
    tests: ['src/server/disk-space/disk-space.test.ts'],
  },
  {
    file: 'src/shared/settings/theme.ts',
    find: "theme === 'system' ? scheme : theme",
    replace: "theme === 'light' ? 'light' : 'dark'",
    tests: ['src/shared/settings/theme.test.ts'],
  },
  {
    file: 'src/client/live/live-client.ts',
    find: 'if (!resumed) this.cursor = cursor',
    replace: 'this.cursor = cursor',
    tests: ['src/client/live/live-client.test.ts'],
  },
  {
    file: 'src/client/conversation/composer/mention-query.ts',
    find: 'text.slice(0, caret)',
    replace: 'text',
    tests: ['src/client/conversation/composer/mention-query.test.ts'],
  },
  {
    file: 'src/client/conversation/store/message-store.ts',
    find: 'bubble.sender.id !== userId',
    replace: 'bubble.sender.id === userId',
    tests: ['src/client/room-chat/room-conversation.test.ts'],
  },
  {
    file: 'src/client/conversation/thread/read-state.ts',
    find: '!bubble.isOwn && bubble.id !== null',
    replace: 'bubble.id !== null',
    tests: ['src/client/conversation/thread/read-state.test.ts'],
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
  // Of kinds that slow tests of whole sites, regions and browsers caught.
  {
    file: 'src/server/relations/sync-viewer-blocks.ts',
    find: "if (row.name === 'userBlocked') blockedIds.add(blockedId)",
    replace: "if (row.name === 'userBlocked') blockedIds.add(blockerId)",
    tests: ['src/server/relations/block-visibility.test.ts'],
  },
  {
    file: 'src/server/announcements/routes.ts',
    find: "allowedSchemes: ['http', 'https']",
    replace: "allowedSchemes: ['http', 'https', 'javascript']",
    tests: ['src/server/announcements/announcements.test.ts'],
  },
  {
    file: 'src/server/live/publisher.ts',
    find: 'bytes > MAX_BUFFERED_BYTES ? connection : ',
    replace: '',
    tests: ['src/server/live/publisher.test.ts'],
  },
  {
    file: 'src/server/http/guard/guarded-server.ts',
    find: 'guarded.ends.size >= MAX_REQUESTS_PER_SOCKET',
    replace: 'guarded.ends.size > 1000',
    tests: ['src/server/http/guard/guarded-server.test.ts'],
  },
  {
    file: 'src/server/http/security-headers.ts',
    find: 'scriptSrc: [NONCE]',
    replace: 'scriptSrc: ["\'self\'", NONCE]',
    tests: ['tests/islands/documents.test.ts'],
  },
  {
    file: 'src/server/render/json-block.ts',
    find: 'jsonTextBlock(attribute, escapeJsonForHtml(JSON.stringify(value)))',
    replace: 'jsonTextBlock(attribute, JSON.stringify(value))',
    tests: ['src/server/render/json-block.test.ts'],
  },
  {
    file: 'src/server/regions/command-router.ts',
    find: "if (outcome !== 'indeterminate') return",
    replace: "if (outcome === 'indeterminate') return refuse('RegionCut')\n        else return",
    tests: ['src/server/regions/command-router.test.ts'],
  },
  {
    file: 'src/server/regions/peer-bus.ts',
    find: "if (to === 'all' || this.indirectPeers.includes(to))",
    replace: 'if (this.indirectPeers.includes(to))',
    tests: ['src/server/regions/peer-bus.test.ts'],
  },
  {
    file: 'src/server/database/restore.ts',
    find: '    skipSequence(tx, { lostSeq })\n',
    replace: '',
    tests: ['src/server/admin.test.ts'],
  },
  {
    file: 'src/server/database/writer-thread.ts',
    find: 'if (platform.isOnLiteFs) beginTerm(',
    replace: 'if (false) beginTerm(',
    tests: ['src/server/regions/simulation-regressions.test.ts'],
  },
  {
    file: 'src/server/region.ts',
    find: '  await router.drain()\n',
    replace: '',
    tests: ['src/server/live/dispatch.test.ts'],
  },
  {
    file: 'src/client/calls/use-call-focus.ts',
    find: 'next?.focus({ preventScroll: true })',
    replace: 'next?.blur()',
    tests: ['tests/journeys/call-window.test.ts'],
  },
  {
    file: 'src/client/live/outbox.ts',
    find: "if (outcome === 'disconnected') return this.flush()",
    replace: "if (outcome === 'disconnected') return this.remove(entry.clientId)",
    tests: ['src/client/live/outbox.test.ts'],
  },
  {
    file: 'src/client/ui/close-on-back.ts',
    find: 'for (const layer of layers.slice(depth).reverse()) layer.close()',
    replace: 'for (const layer of layers) layer.close()',
    tests: ['src/client/ui/close-on-back.test.ts'],
  },
]
