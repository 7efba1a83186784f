import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemberSession } from '../../src/server/features/accounts/sign-in/open-member-session.ts'
import { setOwnPrivacy } from '../../src/server/features/accounts/users/set-own-privacy.ts'
import { answerFollowRequest } from '../../src/server/features/relations/answer-follow-request.ts'
import { followUser } from '../../src/server/features/relations/follow-user.ts'
import { requestWithdrawal } from '../../src/server/features/wallet/withdrawals/request-withdrawal.ts'
import { openForWriting } from '../../src/server/kernel/database/open.ts'
import { sendDirectMessage } from '../../src/server/model/conversations/send-to-user.ts'
import { query } from '../../src/server/model/schema/query.ts'
import { callMemoryOf } from '../../src/server/testing/calls/call-memory.ts'
import { giveMoney } from '../../src/server/testing/fixtures/money.ts'
import type { TestUser } from '../../src/server/testing/fixtures/test-region.ts'
import { runSql } from '../../src/server/testing/fixtures/test-rooms.ts'
import { routes } from '../../src/shared/protocol/catalogue.ts'
import type { RouteSpec } from '../../src/shared/protocol/define.ts'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import { type HttpRegion, startHttpRegion } from '../drivers/http-region.ts'

interface Inputs {
  /** Prepares the state that the first input needs; resolves with the input. */
  first: () => object | Promise<object>
  /** Another body; null where there is none. */
  other: object | Promise<object> | null
}

const ban = { username: 'kaba', duration: '10min', banReason: 'Diğer' } as const
const mute = { username: 'kaba', duration: '10min', reason: 'Hakaret' } as const

const REPORTED_USERS = { senderUsername: 'izlenen', recipientUsername: 'soran' }
const BANK = { bankName: 'Banka', accountHolder: 'Meydan', iban: 'TR330006100519786457841326' }
let optionNumber = 12
/** A size, an amount or a duration that no option has yet. */
const nextOption = () => ++optionNumber

const endedCall = { callId: randomUUID(), username: 'izlenen' }
const OTHER_FOLLOW = { followerId: 1_000_000, followingId: 1 }

/** A payment of the first option. */
const withdrawal = { withdrawalOptionId: 1, firstName: 'Ada', lastName: 'Can', iban: 'TR330006100519786457841326' }
/** A room of the member who calls. */
let ownedRoomId = 1_000_000

const markBan = { covers: ['browser'], duration: 'indefinite', banReason: 'Diğer' } as const
let filterNumber = 0
const filterEntry = { match: 'word', action: 'alert', replacement: null, exceptions: [] } as const
const letterOf = (number: number): string => String.fromCharCode(97 + (number % 26), 97 + ((number / 26) % 26))

/** Inputs of each route that takes a key. A route that is not here fails. */
const INPUTS: Record<string, Inputs> = {
  blockUser: { first: () => ({ blockedUsername: 'ada' }), other: { blockedUsername: 'can' } },
  unblockUser: { first: () => ({ blockedUsername: 'ada' }), other: { blockedUsername: 'can' } },
  endSession: { first: async () => ({ sessionId: await openOtherSession() }), other: { sessionId: 1_000_000 } },
  endOtherSessions: { first: () => ({}), other: null },
  promoteUser: { first: () => ({ username: 'üye' }), other: { username: 'başkaüye' } },
  demoteUser: { first: () => ({ username: 'üye' }), other: { username: 'başkaüye' } },
  sendRoomPopup: {
    first: () => sendableRoomPopup(),
    other: {
      message: 'İki',
      get roomId() {
        return ownedRoomId
      },
    },
  },
  sendPopup: { first: () => ({ message: 'Bir' }), other: { message: 'İki' } },
  banUser: { first: () => ban, other: { ...ban, duration: '1hr' } },
  liftBan: {
    first: async () => {
      await call(routes.banUser, ban, randomUUID())
      return { username: ban.username }
    },
    other: { username: 'can' },
  },
  warnUser: { first: () => ({ username: 'kaba', text: 'Bir' }), other: { username: 'kaba', text: 'İki' } },
  muteUser: { first: () => mute, other: { ...mute, duration: '1hr' } },
  liftMute: {
    first: async () => {
      await call(routes.muteUser, mute, randomUUID())
      return { username: mute.username }
    },
    other: { username: 'can' },
  },
  muteInRoom: { first: () => ({ id: ownedRoomId, ...mute }), other: { id: 1, ...mute } },
  liftRoomMute: {
    first: async () => {
      await call(routes.muteInRoom, { id: ownedRoomId, ...mute }, randomUUID())
      return { id: ownedRoomId, username: mute.username }
    },
    other: { id: 1, username: 'can' },
  },
  hideConversation: { first: () => startConversation(), other: { targetUsername: 'ada' } },
  deleteConversation: { first: () => startConversation(), other: { targetUsername: 'ada' } },
  uploadDirectMedia: { first: () => pictureForm(200), other: pictureForm(300) },
  uploadRoomMedia: { first: () => roomPictureForm(200), other: roomPictureForm(300) },
  reportDirectMessage: { first: () => receiveMessage(), other: { messageId: 1_000_000, ...REPORTED_USERS } },
  follow: { first: async () => ({ followerId: caller.userId, followingId: followed.userId }), other: OTHER_FOLLOW },
  unfollow: { first: async () => ({ followerId: caller.userId, followingId: followed.userId }), other: OTHER_FOLLOW },
  acceptFollow: { first: () => requestFollowOfCaller(), other: OTHER_FOLLOW },
  createPost: { first: () => postForm(200), other: postForm(300) },
  archivePost: { first: () => publishPost(), other: { id: 1_000_000 } },
  deletePost: { first: () => publishPost(), other: { id: 1_000_000 } },
  likePost: { first: () => publishPost(), other: { id: 1_000_000 } },
  unlikePost: { first: () => publishPost(), other: { id: 1_000_000 } },
  commentPost: {
    first: async () => ({ ...(await publishPost()), content: 'Bir' }),
    other: { id: 1_000_000, content: 'İki' },
  },
  deleteComment: { first: () => publishComment(), other: { id: 1_000_000, commentId: 1 } },
  addCapacityOption: {
    first: () => ({ numberOfPeople: nextOption(), price: 5 }),
    other: { numberOfPeople: 9, price: 5 },
  },
  updateCapacityOption: {
    first: () => ({ id: 1, numberOfPeople: 25, price: nextOption() }),
    other: { id: 1, numberOfPeople: 25, price: 9 },
  },
  deleteCapacityOption: { first: () => ({ id: 5 }), other: { id: 4 } },
  addDurationOption: {
    first: () => ({ durationInMonths: nextOption(), discountPercentage: 0 }),
    other: { durationInMonths: 9, discountPercentage: 0 },
  },
  updateDurationOption: {
    first: () => ({ id: 1, durationInMonths: 1, discountPercentage: nextOption() / 100 }),
    other: { id: 1, durationInMonths: 1, discountPercentage: 0.99 },
  },
  deleteDurationOption: { first: () => ({ id: 4 }), other: { id: 3 } },
  addStarOption: { first: () => ({ amount: nextOption(), status: 'active' }), other: { amount: 9, status: 'active' } },
  updateStarOption: {
    first: () => ({ id: 1, amount: nextOption(), status: 'active' }),
    other: { id: 1, amount: 9, status: 'active' },
  },
  deleteStarOption: { first: () => ({ id: 5 }), other: { id: 4 } },
  addWithdrawalOption: {
    first: () => ({ amount: nextOption(), status: 'active' }),
    other: { amount: 9, status: 'active' },
  },
  updateWithdrawalOption: {
    first: () => ({ id: 1, amount: nextOption(), status: 'active' }),
    other: { id: 1, amount: 9, status: 'active' },
  },
  deleteWithdrawalOption: { first: () => ({ id: 5 }), other: { id: 4 } },
  updateGift: {
    first: () => ({ id: 1, price: nextOption(), status: 'active' }),
    other: { id: 1, price: 9, status: 'active' },
  },
  setGiftShare: { first: () => ({ sharePercent: nextOption() }), other: { sharePercent: 9 } },
  setPremiumCost: {
    first: () => ({ premiumCost: 1_000 + nextOption(), days: 30 }),
    other: { premiumCost: 9, days: 30 },
  },
  setBankDetails: { first: () => ({ bank: BANK }), other: { bank: null } },
  createStarRequest: {
    first: () => ({ starOptionId: 1, senderUser: 'Soran' }),
    other: { starOptionId: 2, senderUser: 'Soran' },
  },
  approveStarRequest: { first: () => requestLoad(), other: { id: 1_000_000 } },
  rejectStarRequest: { first: () => requestLoad(), other: { id: 1_000_000 } },
  upgradeToPremium: { first: () => fillBalance(), other: { price: 1 } },
  reportPost: { first: () => publishForeignPost(), other: { postId: 1_000_000 } },
  reportRoomMessage: {
    first: () => receiveRoomMessage(),
    other: { messageId: 1_000_000, roomId: 1 },
  },
  reportProfile: { first: () => ({ username: 'ada' }), other: { username: 'can' } },
  reportCall: { first: () => endCall(), other: { ...endedCall, reason: 'threat' } },
  decideReports: {
    first: async () => ({ reportIds: [await fileReport()], decision: 'nothing' }),
    other: { reportIds: [1_000_000], decision: 'nothing' },
  },
  setRoomPassword: {
    first: () => ({ id: ownedRoomId, password: 'açılsusam' }),
    // The caller's room, which has the first id after those of the default rooms.
    other: { id: 6, password: 'kapansusam' },
  },
  removeRoomPassword: {
    first: async () => {
      await call(routes.setRoomPassword, { id: ownedRoomId, password: 'açılsusam' }, randomUUID())
      return { id: ownedRoomId }
    },
    other: { id: 1 },
  },
  banFromRoom: { first: () => ({ id: ownedRoomId, ...ban }), other: { id: 1, ...ban } },
  liftRoomBan: {
    first: async () => {
      await call(routes.banFromRoom, { id: ownedRoomId, ...ban }, randomUUID())
      return { id: ownedRoomId, username: ban.username }
    },
    other: { id: 1, username: 'can' },
  },
  setMessagePreference: {
    first: () => ({ roomId: ownedRoomId, messagePreference: 'members' }),
    other: { roomId: 1, messagePreference: 'admins' },
  },
  setMediaPreference: {
    first: () => ({ roomId: ownedRoomId, mediaPreference: 'members' }),
    other: { roomId: 1, mediaPreference: 'admins' },
  },
  addRoomAdmin: {
    first: () => ({ roomId: ownedRoomId, userId: followed.userId }),
    other: { roomId: 1_000_000, userId: 1 },
  },
  setGreetingMessage: {
    first: () => ({ id: ownedRoomId, greetingMessage: 'Bir' }),
    other: { id: 1_000_000, greetingMessage: 'İki' },
  },
  setBackground: {
    first: () => backgroundForm(200),
    other: backgroundForm(300),
  },
  removeBackground: { first: () => ({ id: ownedRoomId }), other: { id: 1_000_000 } },
  setSlowMode: {
    first: () => ({ roomId: ownedRoomId, slowModeSeconds: 5 }),
    other: { roomId: 1_000_000, slowModeSeconds: 10 },
  },
  removeRoomAdmin: {
    first: () => ({ roomId: ownedRoomId, userId: followed.userId }),
    other: { roomId: 1_000_000, userId: 1 },
  },
  createWithdrawalRequest: { first: () => prepareWithdrawal(), other: { ...withdrawal, firstName: 'Başka' } },
  approveWithdrawalRequest: { first: () => createWithdrawal(), other: { id: 1_000_000 } },
  rejectWithdrawalRequest: { first: () => createWithdrawal(), other: { id: 1_000_000 } },
  orderRoom: {
    first: () => {
      giveCallerMoney()
      return { name: `Salon ${nextOption()}`, capacityOptionId: 1, durationOptionId: 1 }
    },
    other: { name: 'Başka Salon', capacityOptionId: 1, durationOptionId: 1 },
  },
  renewRoom: {
    first: () => ({ id: addEndingRoom(), capacityOptionId: 1, durationOptionId: 1 }),
    other: { id: 1_000_000, capacityOptionId: 1, durationOptionId: 1 },
  },
  rejectFollow: { first: () => requestFollowOfCaller(), other: OTHER_FOLLOW },
  addFilterEntries: {
    first: () => ({ patterns: [`söz${letterOf(++filterNumber)}`], ...filterEntry }),
    other: { patterns: ['başka'], ...filterEntry },
  },
  changeFilterEntry: {
    first: async () => ({ id: await addFilterEntry(), pattern: `şey${letterOf(++filterNumber)}`, ...filterEntry }),
    other: { id: 1_000_000, pattern: 'başka', ...filterEntry },
  },
  deleteFilterEntry: { first: async () => ({ id: await addFilterEntry() }), other: { id: 1_000_000 } },
  changeLinkRule: {
    first: () => ({ minDays: ++filterNumber, guestsMayLink: true, allowedHosts: [] }),
    other: { minDays: 0, guestsMayLink: false, allowedHosts: [] },
  },
  banMarks: {
    first: () => {
      addFingerprint(marked.userId)
      return { ...markBan, username: 'işaretli' }
    },
    other: { ...markBan, username: 'can' },
  },
  liftMarkBan: {
    first: async () => {
      addFingerprint(marked.userId)
      const answer = await call(routes.banMarks, { ...markBan, username: 'işaretli' }, randomUUID())
      const { markBan: banned } = answer as { markBan: { ban: { id: number } } } // the route's answer
      return { banId: banned.ban.id, kind: 'browser' }
    },
    other: { banId: 1_000_000, kind: 'address' },
  },
  decideHeldText: {
    first: () => ({ id: addHeldText(), decision: 'discard' }),
    other: { id: 1_000_000, decision: 'discard' },
  },
  handleAlert: { first: () => ({ id: addAlert(), isHandled: true }), other: { id: 1_000_000, isHandled: true } },
  removeFollower: { first: () => addFollowerOfCaller(), other: OTHER_FOLLOW },
}

/**
 * Keyed routes of which the action log says nothing: what users do with their own things. Any other one must record an
 * action; what a root admin or the staff of a room does to others belongs there.
 */
const OWN_THINGS = new Set([
  'blockUser',
  'unblockUser',
  'endSession',
  'endOtherSessions',
  'hideConversation',
  'deleteConversation',
  'uploadDirectMedia',
  'uploadRoomMedia',
  'reportDirectMessage',
  'reportRoomMessage',
  'reportProfile',
  'reportCall',
  'follow',
  'unfollow',
  'acceptFollow',
  'rejectFollow',
  'removeFollower',
  'createPost',
  'archivePost',
  'deletePost',
  'likePost',
  'unlikePost',
  'commentPost',
  'deleteComment',
  'reportPost',
  'createStarRequest',
  'createWithdrawalRequest',
  'upgradeToPremium',
  'orderRoom',
  'renewRoom',
])

let site: HttpRegion
let caller: TestUser
let followed: TestUser
/** A member who is banned. */
let marked: TestUser
let requesters = 0
const tokens: Record<string, string> = {}

beforeAll(async () => {
  site = await startHttpRegion({ MEYDAN_LIMIT_SCALE: '1000' })
  const { region } = site
  const root = await region.createRootAdmin('yönetici')
  for (const name of ['ada', 'can', 'kaba']) await region.createGuest(name)
  for (const name of ['üye', 'başkaüye']) await region.createMember(name)
  caller = await region.createMember('soran')
  followed = await region.createMember('izlenen')
  for (const { userId } of [caller, followed]) makePremium(userId)
  ownedRoomId = createRoomOf(caller.userId)
  marked = await region.createMember('işaretli')
  tokens.signedIn = caller.token
  tokens.member = caller.token
  tokens.rootadmin = root.adminToken
  await call(routes.banUser, { ...ban, username: 'işaretli', duration: 'indefinite' }, randomUUID())
})
afterAll(() => site.close())

async function send(method: string, path: string, body: object, headers: Record<string, string>) {
  const isForm = body instanceof FormData
  const response = await fetch(`${site.origin}/api${path}`, {
    method,
    headers: { ...(!isForm && { 'content-type': 'application/json' }), ...headers },
    ...(method !== 'GET' && { body: isForm ? body : JSON.stringify(body) }),
  })
  return (await response.json()) as Record<string, unknown> // every answer below /api is an object
}

/** Calls a route with a key, as somebody who may. */
function call({ method, path, access }: RouteSpec, input: object, key: string) {
  const fields = new Map(Object.entries(input))
  // A form's id is that of the caller's room.
  const fieldOf = (name: string) => String(fields.get(name) ?? ownedRoomId)
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(fieldOf(name)))
  return send(method, filled, input, { authorization: `Bearer ${tokens[access]}`, 'idempotency-key': key })
}

const actionCount = query()((db) => db.selectFrom('actionEntry').select((eb) => eb.fn.countAll<number>().as('count')))
const countActions = () => site.region.appContext.reader.get(actionCount)?.count ?? 0
/** How many actions a route has recorded, by its name. */
const actionCounts = new Map<string, number>()
const loggedEvents = () => site.region.appContext.reader.cursor()
const keyedRoutes = Object.entries<RouteSpec>(routes).filter(([, { retry }]) => retry === 'idempotencyKey')

it('[AUDIT-05] names only routes as those that record nothing', () => {
  const names = keyedRoutes.map(([name]) => name)
  expect([...OWN_THINGS].filter((name) => !names.includes(name))).toEqual([])
  expect(keyedRoutes.filter(([name, { access }]) => access === 'rootadmin' && OWN_THINGS.has(name))).toEqual([])
})

describe.each(keyedRoutes)('%s', (name, route) => {
  const { first, other } = INPUTS[name] ?? expect.unreachable(`${name} has no input here`)

  it('[HTTP-06] has one effect and gives the same answer under one key, quoted or not', async () => {
    const [key, input] = [randomUUID(), await first()]
    const actionsBefore = countActions()
    const answer = await call(route, input, key)
    expect(answer).toMatchObject({ success: true })
    const cursor = loggedEvents()
    expect(await call(route, input, key)).toEqual(answer)
    expect(await call(route, input, `"${key}"`)).toEqual(answer)
    expect(loggedEvents()).toBe(cursor)
    actionCounts.set(name, countActions() - actionsBefore)
  })

  it('[AUDIT-05] records one action, if it is about others', () => {
    const isOwn = OWN_THINGS.has(name)
    expect(actionCounts.get(name), `${name} ${isOwn ? 'is' : 'is not'} among OWN_THINGS`).toBe(isOwn ? 0 : 1)
  })

  it.runIf(other)('[HTTP-06] refuses another body under the same key', async () => {
    const key = randomUUID()
    expect(await call(route, await first(), key)).toMatchObject({ success: true })
    const cursor = loggedEvents()
    expect(await call(route, (await other) ?? {}, key)).toMatchObject({ success: false, code: 'ClientIdReused' })
    expect(loggedEvents()).toBe(cursor)
  })

  it('[HTTP-06] refuses a key that is no UUID', async () => {
    const refusal = { success: false, code: 'InvalidInput', path: 'Idempotency-Key' }
    expect(await call(route, await first(), 'again')).toMatchObject(refusal)
  })
})

function makePremium(userId: number): void {
  const db = openForWriting(site.region.appContext.config.databaseFile)
  db.prepare('update user set premiumUntil = ?, isShownPremium = 1 where id = ?').run(
    Date.now() + 24 * 60 * 60_000,
    userId,
  )
  db.close()
}

function createRoomOf(ownerId: number): number {
  const db = openForWriting(site.region.appContext.config.databaseFile)
  const { lastInsertRowid } = db
    .prepare(
      `insert into room (name, foldedName, capacity, isList, isActive, ownerId, createdAt, updatedAt)
       values (@name, @name, 100, 1, 1, @ownerId, 0, 0)`,
    )
    .run({ name: `sahipli ${nextOption()}`, ownerId })
  db.close()
  return Number(lastInsertRowid)
}

function giveCallerMoney(): void {
  giveMoney(site.region.appContext.config.databaseFile, { userId: caller.userId, amountKurus: 1_000_000 })
}

/** An entry of the word filter. */
async function addFilterEntry(): Promise<number> {
  const patterns = [`kelime${letterOf(++filterNumber)}`]
  const answer = await call(routes.addFilterEntries, { patterns, ...filterEntry }, randomUUID())
  const { entries } = answer as { entries: { id: number }[] } // the route's answer
  return entries[0]?.id ?? 0
}

/** A browser that the user has used now. */
function addFingerprint(userId: number): void {
  const mark = `tarayıcı ${++filterNumber}`
  runSql(site.region, "insert into accountMark values (?, 'browser', ?, ?, ?)", userId, mark, Date.now(), Date.now())
}

/** A comment of the caller that waits for review. */
function addHeldText(): number {
  const id = ++filterNumber
  runSql(
    site.region,
    `insert into heldText (id, userId, placeKind, placeId, text, pattern, word, at)
     values (?, ?, 'comment', 1, 'söz', 'söz', 'söz', ?)`,
    ...[id, caller.userId, Date.now()],
  )
  return id
}

function addAlert(): number {
  const id = ++filterNumber
  runSql(
    site.region,
    `insert into alert (id, kind, cause, userId, placeKind, details, count, raisedAt, latestAt)
     values (?, 'word', ?, ?, 'profile', '{"pattern":"söz","word":"söz","excerpt":null}', 1, ?, ?)`,
    ...[id, `neden ${id}`, caller.userId, Date.now(), Date.now()],
  )
  return id
}

/** A room of the caller that expires today. */
function addEndingRoom(): number {
  giveCallerMoney()
  const id = createRoomOf(caller.userId)
  const db = openForWriting(site.region.appContext.config.databaseFile)
  db.prepare('update room set expiryDate = ? where id = ?').run(Date.now() + 60_000, id)
  db.close()
  return id
}

/** Another session of the member who calls. */
async function openOtherSession(): Promise<number> {
  const input = { userId: caller.userId, passwordHash: 'none', platform: 'web' } as const
  const opened = await site.region.appContext.execute(openMemberSession, null, input)
  return opened instanceof Refusal ? expect.unreachable(opened.body.code) : opened.sessionId
}

/** A new member asks to follow the caller, whose account is private. */
async function requestFollowOfCaller(): Promise<object> {
  const { region } = site
  await region.appContext.execute(setOwnPrivacy, caller, { accountPrivacy: 'private' })
  const requester = await region.createMember(`isteyen${++requesters}`)
  const pair = { followerId: requester.userId, followingId: caller.userId }
  const asked = await region.appContext.execute(followUser, requester, { ...pair, request: true })
  if (asked instanceof Refusal) expect.unreachable(asked.body.code)
  return pair
}

/** A new member follows the caller. */
async function addFollowerOfCaller(): Promise<object> {
  const pair = (await requestFollowOfCaller()) as { followerId: number; followingId: number } // what it answers
  const accepted = await site.region.appContext.execute(answerFollowRequest, caller, { ...pair, isAccepted: true })
  if (accepted instanceof Refusal) expect.unreachable(accepted.body.code)
  return pair
}

/** The user `followed` writes to the caller. Resolves with the id of the message. */
async function receiveDirectMessage(): Promise<number> {
  const message = {
    recipientId: caller.userId,
    content: 'Selam',
    mediaId: null,
    replyToId: null,
    clientId: randomUUID(),
  }
  const sent = await site.region.appContext.execute(sendDirectMessage, followed, message, {
    clientId: message.clientId,
  })
  if (sent instanceof Refusal) expect.unreachable(sent.body.code)
  return sent.message?.id ?? expect.unreachable('the message is empty')
}

/** The form of an upload: a grey square. */
async function pictureForm(side: number): Promise<FormData> {
  const create = { width: side, height: side, channels: 3, background: '#808080' } as const
  const form = new FormData()
  form.set('media', new Blob([new Uint8Array(await sharp({ create }).png().toBuffer())]))
  return form
}

async function roomPictureForm(side: number): Promise<FormData> {
  const form = await pictureForm(side)
  form.set('roomId', '1')
  return form
}

/** A popup to the caller's room, whose last one was more than a minute ago. */
function sendableRoomPopup(): object {
  runSql(site.region, 'delete from roomPopup')
  return { roomId: ownedRoomId, message: 'Bir' }
}

/** The form of a room's background. */
async function backgroundForm(side: number): Promise<FormData> {
  const form = await pictureForm(side)
  form.set('backgroundImage', form.get('media') ?? '')
  form.delete('media')
  return form
}

/** The form of a post. */
async function postForm(side: number): Promise<FormData> {
  const form = await pictureForm(side)
  form.set('file', form.get('media') ?? '')
  form.delete('media')
  form.set('type', 'photo')
  return form
}

/** A new post of the caller. */
async function publishPost(): Promise<{ id: number }> {
  const answer = await call(routes.createPost, await postForm(200), randomUUID())
  return { id: (answer.post as { id: number }).id } // the route's schema
}

async function publishComment(): Promise<object> {
  const { id } = await publishPost()
  const answer = await call(routes.commentPost, { id, content: 'Bir' }, randomUUID())
  return { id, commentId: (answer.comment as { id: number }).id } // the route's schema
}

/** A new post of another user. */
async function publishForeignPost(): Promise<object> {
  const form = await postForm(200)
  const headers = { authorization: `Bearer ${followed.token}` }
  const answer = await send('POST', '/posts', form, headers)
  return { postId: (answer.post as { id: number }).id } // the route's schema
}

async function startConversation(): Promise<object> {
  await receiveDirectMessage()
  return { targetUsername: followed.username }
}

async function receiveMessage(): Promise<object> {
  return { messageId: await receiveDirectMessage(), ...REPORTED_USERS }
}

/** The user `followed` writes in a room. */
function receiveRoomMessage(): object {
  const db = openForWriting(site.region.appContext.config.databaseFile)
  const { lastInsertRowid } = db
    .prepare(
      `insert into message (roomId, senderId, content, consecutiveCount, clientId, createdAt)
       values (1, ?, 'Kaba', 1, ?, 0)`,
    )
    .run(followed.userId, randomUUID())
  db.close()
  return { messageId: Number(lastInsertRowid), roomId: 1 }
}

/** A call of `followed` and the caller that is over. */
function endCall(): object {
  const recent = callMemoryOf(site.region.appContext)
  const [callerId, calleeId] = [followed.userId, caller.userId]
  recent.set({ callId: endedCall.callId, callType: 'voice', callerId, calleeId, isActive: true, startedAt: 0 })
  recent.end(endedCall.callId)
  return endedCall
}

/** A new member is reported; resolves with the report's id. */
async function fileReport(): Promise<number> {
  const reported = await site.region.createMember(`kötü${++requesters}`)
  await call(routes.reportProfile, { username: reported.username }, randomUUID())
  const { reports } = await call(routes.reportsOfUser, { userId: reported.userId }, randomUUID())
  const [report] = reports as { id: number }[] // the route's schema
  return report?.id ?? expect.unreachable('there is no report')
}

/** A new member asks for a load of balance. */
async function requestLoad(): Promise<object> {
  const asker = await site.region.createMember(`yükleyen${++requesters}`)
  const headers = { authorization: `Bearer ${asker.token}` }
  const answer = await send('POST', '/star-requests', { starOptionId: 1, senderUser: 'Ada' }, headers)
  return { id: (answer.request as { id: number }).id } // the route's schema
}

/** Gives the caller money for premium. Resolves with the input that buys it. */
function fillBalance(): object {
  giveMoney(site.region.appContext.config.databaseFile, { userId: caller.userId, amountKurus: 1_000_000 })
  return {}
}

/** Gives the caller money that may be paid out. */
function prepareWithdrawal(): object {
  const { databaseFile } = site.region.appContext.config
  giveMoney(databaseFile, { userId: caller.userId, amountKurus: 5_000, kind: 'earned' })
  return withdrawal
}

/** A pending payment of another member each time: a user has few of them at once. */
async function createWithdrawal(): Promise<{ id: number }> {
  const { region } = site
  const member = await region.createMember(`ödenen${++requesters}`)
  const { databaseFile } = region.appContext.config
  giveMoney(databaseFile, { userId: member.userId, amountKurus: 5_000, kind: 'earned' })
  const asked = await region.appContext.execute(requestWithdrawal, member, withdrawal)
  return asked instanceof Refusal ? expect.unreachable(asked.body.code) : { id: asked.request.id }
}
