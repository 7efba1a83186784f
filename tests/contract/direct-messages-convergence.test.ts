import fc from 'fast-check'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flushPromises } from '../../src/client/core/platform/testing/fake-environment.ts'
import { setOwnPrivacy } from '../../src/server/features/accounts/users/set-own-privacy.ts'
import { sweepAccounts } from '../../src/server/features/accounts/users/sweep-accounts.ts'
import { deleteConversation } from '../../src/server/features/direct-messages/delete-conversation.ts'
import { hideConversation } from '../../src/server/features/direct-messages/hide-conversation.ts'
import { reportMessage } from '../../src/server/features/direct-messages/report-message.ts'
import { directMessageRoutes } from '../../src/server/features/direct-messages/routes.ts'
import { ghostBanGuest } from '../../src/server/features/moderation/ghost-ban-guest.ts'
import { liftBan } from '../../src/server/features/moderation/lift-ban.ts'
import { updateProfile } from '../../src/server/features/profiles/update-profile.ts'
import { blockUser } from '../../src/server/features/relations/block-user.ts'
import { followUser } from '../../src/server/features/relations/follow-user.ts'
import { unblockUser } from '../../src/server/features/relations/unblock-user.ts'
import { unfollowUser } from '../../src/server/features/relations/unfollow-user.ts'
import { openForWriting } from '../../src/server/kernel/database/open.ts'
import type { NodeApp } from '../../src/server/kernel/http/node-app.ts'
import { directMediaCommands } from '../../src/server/model/conversations/media-commands.ts'
import {
  openTestRegion,
  type TestClient,
  type TestRegion,
  type TestUser,
} from '../../src/server/testing/fixtures/test-region.ts'
import type { BlockStatus } from '../../src/shared/accounts/protocol.ts'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import { Tab } from './direct-messages-tab.ts'

let region: TestRegion
const app: NodeApp = new Hono()
let run = 0
let admin: TestUser

beforeAll(async () => {
  region = await openTestRegion({ MEYDAN_LIMIT_SCALE: '100000' })
  directMessageRoutes(app, region.appContext)
  admin = await region.createRootAdmin('kök')
})
afterAll(() => region.destroy())

const names = ['viewer', 'can', 'guest'] as const
type Name = (typeof names)[number]

/** What may happen next; the number says how often. */
const happenings = {
  send: 20,
  sendFile: 6,
  reply: 12,
  sendInTab: 6,
  read: 8,
  readFirst: 8,
  hide: 4,
  delete: 5,
  block: 2,
  unblock: 6,
  follow: 6,
  unfollow: 4,
  changePicture: 3,
  allowMedia: 3,
  report: 2,
  guestLeaves: 1,
  holdFrames: 8,
  deliverFrames: 6,
}
type What = keyof typeof happenings | 'ghostBan' | 'liftGhostBan' | 'changePrivacy'
/** Ghost bans of the viewer begin and end among the rest. */
const happeningsWithGhosts = { ...happenings, ghostBan: 8, liftGhostBan: 4, changePrivacy: 4 }

function createHappening(weights: Partial<Record<What, number>>) {
  const whats = Object.keys(weights) as What[] // its own keys
  return fc.record({
    what: fc.oneof(...whats.map((what) => ({ arbitrary: fc.constant(what), weight: weights[what] ?? 0 }))),
    isByViewer: fc.boolean(),
    other: fc.constantFrom('can' as const, 'can' as const, 'guest' as const),
  })
}
type Happening = ReturnType<typeof createHappening> extends fc.Arbitrary<infer H> ? H : never

/** The viewer, a member and a guest in one room, all on a device of their own; a tab of the viewer shows both conversations. */
class World {
  readonly stale: Tab
  private readonly users: Record<Name, TestUser>
  private readonly devices: Record<Name, TestClient>
  /** Whose conversation with the viewer the present change is about. */
  private other: 'can' | 'guest' = 'can'
  private readonly sentIds: Record<'can' | 'guest', number[]> = { can: [], guest: [] }
  private isGuestGone = false
  private count = 0

  private readonly ways: Record<What, (from: TestUser, to: TestUser, device: TestClient) => unknown> = {
    send: (_, to, device) => this.send(device, to, {}),
    sendFile: async (from, to, device) => this.send(device, to, { mediaId: await this.addFile(from) }),
    reply: (_, to, device) => this.send(device, to, { replyTo: { id: this.sentId(-2) } }),
    sendInTab: (_, to) => void this.stale.windowOf(to).send(`Söz ${++this.count}`),
    read: (_, to, device) =>
      device.request('markMessagesAsRead', { otherUsername: to.username, otherUserId: to.userId }),
    readFirst: (_, to, device) =>
      device.request('markMessagesAsRead', {
        otherUsername: to.username,
        otherUserId: to.userId,
        upToId: this.sentId(-3),
      }),
    hide: (from, to) => execute(hideConversation, from, { otherUserId: to.userId }),
    delete: (from, to) => execute(deleteConversation, from, { otherUserId: to.userId }),
    block: (from, to) => execute(blockUser, from, { blockedUsername: to.username, blockedUserId: to.userId }),
    unblock: (from, to) => execute(unblockUser, from, { blockedUsername: to.username, blockedUserId: to.userId }),
    follow: (from, to) => execute(followUser, from, { followerId: from.userId, followingId: to.userId }),
    unfollow: (from, to) => execute(unfollowUser, from, { followerId: from.userId, followingId: to.userId }),
    changePicture: (from) => execute(updateProfile, from, { columns: { avatarUrl: `${++this.count}.webp` } }),
    allowMedia: (_, to, device) => device.request('allowDirectMedia', { userId: to.userId }),
    report: (from) => execute(reportMessage, from, { messageId: this.sentId(-1) }),
    guestLeaves: () => this.removeGuest(),
    ghostBan: () => execute(ghostBanGuest, admin, { username: this.users.viewer.username, duration: 'indefinite' }),
    liftGhostBan: () => execute(liftBan, admin, { username: this.users.viewer.username }),
    changePrivacy: (from) =>
      execute(setOwnPrivacy, from, { messagePrivacy: ++this.count % 2 === 0 ? 'nobody' : 'everyone' }),
    holdFrames: () => {
      this.stale.environment.isHeld = true
    },
    deliverFrames: () => this.stale.environment.deliver(),
  }

  constructor(users: Record<Name, TestUser>, devices: Record<Name, TestClient>) {
    this.users = users
    this.devices = devices
    this.stale = this.createTab('stale')
  }

  static async open(ghost?: 'viewer'): Promise<World> {
    run++
    const users = {
      viewer: await (ghost === 'viewer' ? region.createGuest(`ada${run}`) : region.createMember(`ada${run}`)),
      can: await region.createMember(`can${run}`),
      guest: await region.createGuest(`konuk${run}`),
    }
    const privacy = { messageImagePrivacy: 'everyone', messageAudioPrivacy: 'everyone' } as const
    for (const name of names) await execute(setOwnPrivacy, users[name], privacy)
    const devices = {
      viewer: await region.connectAs(users.viewer, 1),
      can: await region.connectAs(users.can, 1),
      guest: await region.connectAs(users.guest, 1),
    }
    const world = new World(users, devices)
    await world.stale.open()
    return world
  }

  /** Something happens between the viewer and one of the others. */
  async happen({ what, isByViewer, other }: Happening): Promise<void> {
    if (this.isGuestGone && other === 'guest') return
    this.other = other
    const [from, to] = isByViewer || what === 'sendInTab' ? (['viewer', other] as const) : ([other, 'viewer'] as const)
    await this.ways[what](this.users[from], this.users[to], this.devices[from])
    await flushPromises()
  }

  createTab(name: string): Tab {
    return new Tab({ region, app }, this.users.viewer, `${name}${run}`, [this.users.can, this.users.guest])
  }

  /** The window of a guest who has left closes. */
  view(tab: Tab) {
    const { list, windows } = tab.view()
    return { list, windows: this.isGuestGone ? windows.slice(0, 1) : windows }
  }

  close(): void {
    for (const device of Object.values(this.devices)) device.disconnect()
  }

  private async send(device: TestClient, { username, userId }: TestUser, more: object): Promise<void> {
    const input = { recipientUsername: username, recipientId: userId, content: `Söz ${++this.count}`, ...more }
    const answer = await device.request('sendDirectMessage', input)
    if ('success' in answer && answer.message) this.sentIds[this.other].push(answer.message.id)
  }

  /** The id of the conversation's message at this place from its end; of none where it has fewer. */
  private sentId(place: number): number {
    return this.sentIds[this.other].at(place) ?? 1
  }

  private async addFile(owner: TestUser): Promise<number> {
    const file = {
      mediaType: 'image',
      originalPath: `${run}-${++this.count}.webp`,
      thumbnailPath: null,
      sizeBytes: 1,
    } as const
    const shape = { width: 4, height: 3, durationMs: null, blur: null, waveform: null }
    const added = await execute(directMediaCommands.addMedia, owner, {
      ...file,
      ...shape,
      clientId: crypto.randomUUID(),
    })
    if (added instanceof Refusal) throw new Error(added.body.code)
    return added.mediaId
  }

  private async removeGuest(): Promise<void> {
    const { userId } = this.users.guest
    this.isGuestGone = true
    const db = openForWriting(region.appContext.config.databaseFile)
    db.prepare('update user set lastSeenAt = 0 where id = ?').run(userId)
    db.close()
    await region.appContext.execute(sweepAccounts, null, {})
  }
}

const execute: TestRegion['appContext']['execute'] = (write, actor, input, options) =>
  region.appContext.execute(write, actor, input, options)

/**
 * A view without presence, which comes some time after a ban and has tests of its own, and without the privacy settings across
 * a block: nobody is told of a change that leaves the verdict as it is, and no window shows more than the verdict.
 */
function toComparable(view: object): unknown {
  const keep = function (this: Partial<BlockStatus>, key: string, value: unknown): unknown {
    const isBlocked = this.hasBlockedProfile || this.isBlockedByProfile
    return key === 'isOnline' || (isBlocked && key.endsWith('Privacy')) ? undefined : value
  }
  return JSON.parse(JSON.stringify(view, keep))
}

/** A tab that has seen the changes shows in the end what a new one shows. */
async function checkConvergence(
  weights: Partial<Record<What, number>>,
  { numRuns, ghost }: { numRuns: number; ghost?: 'viewer' },
): Promise<void> {
  const sequences = fc.array(createHappening(weights), { maxLength: 40, size: 'max' })
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const world = await World.open(ghost)
    for (const next of sequence) await world.happen(next)
    await world.stale.rest()
    const fresh = world.createTab('fresh')
    await fresh.open()
    const [stale, expected] = [world.view(world.stale), world.view(fresh)].map((view) =>
      ghost ? toComparable(view) : view,
    )
    for (const tab of [world.stale, fresh]) tab.close()
    world.close()
    expect(stale).toEqual(expected)
  })
  await fc.assert(property, { numRuns })
}

describe.each([
  ['20 sequences', 20, {}],
  ['50 sequences', 50, { tags: 'deep' }],
])('after any of %s of changes', (_, numRuns, options) => {
  it('[DM-68] an open tab shows what a new one shows', options, () => checkConvergence(happenings, { numRuns }))

  it('[GHOSTD-14] so it does when the viewer is ghost-banned and free again among the changes', options, () =>
    checkConvergence(happeningsWithGhosts, { numRuns: numRuns / 2, ghost: 'viewer' }),
  )
})
