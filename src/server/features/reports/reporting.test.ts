import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callIdOf, requestIdOf } from '../../../shared/calls/call-request-id.ts'
import type { EventName } from '../../../shared/protocol/catalogue.ts'
import { Kind } from '../../../shared/protocol/frame.ts'
import { MAX_OPEN_REPORTS, MAX_REPORT_NOTE_LINES } from '../../../shared/reports/limits.ts'
import type { ReportContentOf } from '../../../shared/reports/report.ts'
import { callMemoryOf } from '../../testing/calls/call-memory.ts'
import { fileName } from '../../testing/fixtures/posts-api.ts'
import { openReportsApi, type ReportsApi } from '../../testing/fixtures/reports-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'

let api: ReportsApi
let ada: TestUser
let can: TestUser
let deniz: TestUser
let turn = 0

beforeAll(async () => {
  api = await openReportsApi({ MEYDAN_LIMIT_SCALE: '1000' })
})
afterAll(() => api.close())
beforeEach(async () => {
  turn++
  ada = await api.region.createMember(`ada${turn}`)
  can = await api.region.createMember(`can${turn}`)
  deniz = await api.region.createGuest(`deniz${turn}`)
})

const codeOf = async (path: string, user: TestUser, body: object) =>
  (await api.call('POST', path, user, body)).body.code
const reportMessage = (user: TestUser, messageId: number, more: object = {}) =>
  api.call('POST', '/dm/report', user, {
    messageId,
    senderUsername: 'biri',
    recipientUsername: user.username,
    ...more,
  })

async function keptOf<K extends 'directMessage' | 'roomMessage' | 'post' | 'profile' | 'call'>(reported: TestUser) {
  const [report] = await api.reportsOf(reported)
  return (await api.contentOf(report?.id ?? 0)) as ReportContentOf<K> // the test has reported this kind
}
const textsOf = ({ messages }: { messages: { content: string }[] }) => messages.map(({ content }) => content)

let lastPost = 1_000
function addPost(owner: TestUser, isArchived = 0): number {
  const id = ++lastPost
  const [path, mediumPath, thumbnailPath] = [fileName(), fileName(), fileName()]
  api.query(
    `insert into post (id, userId, type, path, mediumPath, thumbnailPath, sizeBytes, description, isArchived, createdAt,
       likeCount, commentCount, score, isReported, isPurging)
     values (?, ?, 'photo', ?, ?, ?, 1, 'kötü söz', ?, ?, 0, 0, 0, 0, 0)`,
    ...[id, owner.userId, path, mediumPath, thumbnailPath, isArchived, Date.now()],
  )
  for (const file of [path, mediumPath, thumbnailPath])
    api.query('insert into postFile (path, postId) values (?, ?)', file, id)
  return id
}

describe('a direct message', () => {
  it('[REPORT-01] is reported by its recipient alone', async () => {
    const messageId = await api.write(ada, can, 'kaba')
    expect((await reportMessage(deniz, messageId)).status).toBe(404)
    expect((await reportMessage(ada, messageId)).status).toBe(404)
    expect((await reportMessage(can, 1_000_000)).status).toBe(404)
    expect((await reportMessage(can, messageId)).status).toBe(200)
    const [report] = await api.reportsOf(ada)
    expect(report).toMatchObject({ kind: 'directMessage', reason: 'other', note: '', subject: { messageId } })
    expect(report?.reporter).toMatchObject({ id: can.userId, username: can.username, isGuest: false })
  })

  it('[REPORT-01] [REPORT-03] that only its ghost-banned sender reads is neither reported nor kept around another', async () => {
    const [shown, hidden, reported] = [
      await api.write(ada, can, 'A'),
      await api.write(ada, can, 'G'),
      await api.write(ada, can, 'K'),
    ]
    api.query("update directMessage set audience = 'actor' where id = ?", hidden)
    expect((await reportMessage(can, hidden)).status).toBe(404)
    expect((await reportMessage(can, reported)).status).toBe(200)
    expect((await keptOf<'directMessage'>(ada)).messages.map(({ id }) => id)).toEqual([shown, reported])
  })

  it('[REPORT-03] stays as it was with up to five around it when both have deleted the conversation', async () => {
    const ids: number[] = []
    for (let index = 1; index <= 9; index++) ids.push(await api.write(ada, can, `M${index}`))
    const more = { reason: 'threat', note: 'Beni tehdit etti' }
    expect((await reportMessage(can, ids[5] ?? 0, more)).status).toBe(200)
    for (const [user, other] of [
      [ada, can],
      [can, ada],
    ] as const)
      await api.ok('POST', '/dm/delete', user, { targetUsername: other.username })
    expect((await api.reportsOf(ada))[0]).toMatchObject({
      reason: 'threat',
      note: 'Beni tehdit etti',
      hasContent: true,
    })
    const kept = await keptOf<'directMessage'>(ada)
    expect(kept).toMatchObject({ kind: 'directMessage', messageId: ids[5] })
    expect(textsOf(kept)).toEqual(['M3', 'M4', 'M5', 'M6', 'M7', 'M8'].map((text) => text))
    expect(kept.messages.every(({ senderUsername }) => senderUsername === ada.username)).toBe(true)
  })
})

describe('a message of a room', () => {
  it('[REPORT-03] is kept with up to five that the reporter may see', async () => {
    const ids = ['B1', 'gizli', 'B2', 'B3', 'B4', 'kötü', 'B5', 'B6', 'B7'].map((text) =>
      api.addRoomMessage(text === 'gizli' ? deniz : ada, text),
    )
    api.query("update message set audience = 'actor' where id = ?", ids[1])
    api.query('update message set isRemoved = 1, content = ? where id = ?', '', ids[3])
    await api.ok('POST', '/rooms/report', can, { messageId: ids[5], roomId: 1, reason: 'insult' })
    const kept = await keptOf<'roomMessage'>(ada)
    expect(textsOf(kept).slice(-5)).toEqual(['B2', 'B4', 'kötü', 'B5', 'B6'])
    expect(textsOf(kept)).not.toContain('gizli')
    expect(kept.messages.length).toBeLessThanOrEqual(6)
    expect(kept.roomName).toMatch(/./)
    expect((await api.reportsOf(ada))[0]?.subject).toMatchObject({
      roomId: 1,
      roomName: kept.roomName,
      messageId: ids[5],
    })
  })

  it('[REPORT-01] is refused in another room, in a closed one, when it is removed and when it is for others', async () => {
    const id = api.addRoomMessage(ada, 'kötü')
    const report = (roomId: number, messageId = id) => codeOf('/rooms/report', can, { messageId, roomId })
    expect([await report(2), await report(1_000_000), await report(1, 1_000_000)]).toEqual([
      'NotFound',
      'RoomNotFound',
      'NotFound',
    ])
    const hidden = api.addRoomMessage(deniz, 'gizli')
    api.query("update message set audience = 'actor' where id = ?", hidden)
    expect(await report(1, hidden)).toBe('NotFound')
    api.query('update message set isRemoved = 1 where id = ?', id)
    expect(await report(1)).toBe('NotFound')
    const inClosed = api.addRoomMessage(ada, 'kötü', 2)
    api.query("update room set passwordHash = 'x' where id = 2")
    expect(await report(2, inClosed)).toBe('RoomPasswordRequired')
    api.query('update room set passwordHash = null where id = 2')
    expect(await api.reportsOf(ada)).toEqual([])
  })
})

describe('a post', () => {
  it('[REPORT-01] [REPORT-03] is kept with comments and files; one that is not shown to the reporter is refused', async () => {
    const postId = addPost(ada)
    api.query(
      "insert into postComment (id, postId, userId, content, createdAt) values (?, ?, ?, 'yorum', 1)",
      ...[postId, postId, can.userId],
    )
    expect(await codeOf('/posts/report', can, { postId: 1 })).toBe('NotFound')
    expect(await codeOf('/posts/report', can, { postId: addPost(ada, 1) })).toBe('NotFound')
    await api.ok('POST', '/posts/report', can, { postId, reason: 'sexual', note: 'bak' })
    const kept = await keptOf<'post'>(ada)
    expect(kept).toMatchObject({ post: { id: postId, description: 'kötü söz' }, owner: { username: ada.username } })
    expect(kept.comments).toMatchObject([{ content: 'yorum', User: { username: can.username } }])
    expect(
      api.query('select path from reportFile where path in (select path from postFile where postId = ?)', postId),
    ).toHaveLength(3)
  })
})

describe('a profile', () => {
  it('[REPORT-03] is kept with name, texts and picture, and with a block only what lists show', async () => {
    const avatarUrl = `/uploads/${fileName()}`
    api.query(
      "update user set bio = 'kötü', city = 'Ankara', avatarUrl = ?, largeAvatarUrl = ? where id = ?",
      avatarUrl,
      avatarUrl,
      ada.userId,
    )
    await api.reportProfile(can, ada, { userId: ada.userId, reason: 'impersonation' })
    expect((await keptOf<'profile'>(ada)).profile).toMatchObject({ username: ada.username, bio: 'kötü', avatarUrl })
    api.query("update user set bio = 'iyi', avatarUrl = null, largeAvatarUrl = null where id = ?", ada.userId)
    expect((await keptOf<'profile'>(ada)).profile).toMatchObject({ bio: 'kötü', avatarUrl })
    api.query('insert into block (blockerId, blockedId, createdAt) values (?, ?, 1)', ada.userId, deniz.userId)
    await api.reportProfile(deniz, ada)
    expect((await keptOf<'profile'>(ada)).profile).toMatchObject({ username: ada.username, bio: null })
  })

  it('[REPORT-01] of nobody, or under the name of another, is refused', async () => {
    expect(await codeOf('/users/report', can, { username: 'kimse' })).toBe('NotFound')
    expect(await codeOf('/users/report', can, { username: ada.username, userId: deniz.userId })).toBe('NotFound')
  })
})

describe('a call', () => {
  const callId = () => `${String(turn).padStart(8, '0')}-0000-4000-8000-000000000001`

  it('[REPORT-01] [REPORT-03] is reported by its two users with who, when and how long', async () => {
    const recent = callMemoryOf(api.region.appContext)
    const startedAt = api.region.appContext.clock()
    const entry = {
      callId: callId(),
      callType: 'video',
      callerId: ada.userId,
      calleeId: can.userId,
      startedAt,
    } as const
    recent.set({ ...entry, isActive: false })
    recent.set({ ...entry, isActive: true })
    recent.end(entry.callId)
    const report = (user: TestUser, username: string, id = entry.callId) =>
      codeOf('/calls/report', user, { callId: id, username, reason: 'insult' })
    expect(await report(deniz, ada.username)).toBe('NoSuchCall')
    expect(await report(can, deniz.username)).toBe('NoSuchCall')
    expect(await report(can, ada.username, 'ffffffff-0000-4000-8000-000000000001')).toBe('NoSuchCall')
    expect(await report(can, ada.username)).toBeUndefined()
    // Once, also as the notification of a missed call names it.
    expect(await report(can, ada.username, callIdOf(requestIdOf(entry.callId)))).toBeUndefined()
    expect(await api.reportsOf(ada)).toHaveLength(1)
    const { call } = await keptOf<'call'>(ada)
    expect(call).toMatchObject({
      callType: 'video',
      startedAt,
      caller: { username: ada.username },
      callee: { id: can.userId },
    })
    expect(call.endedAt).toBeGreaterThanOrEqual(call.connectedAt ?? Number.NaN)
    expect(await report(ada, can.username)).toBeUndefined()
    expect(await api.reportsOf(can)).toMatchObject([{ kind: 'call', subject: { callId: entry.callId } }])
  })
})

describe('every report', () => {
  it('[REPORT-02] is refused about oneself, and repeated it changes nothing', async () => {
    expect(await codeOf('/users/report', ada, { username: ada.username })).toBe('Forbidden')
    const own = api.addRoomMessage(ada, 'benim')
    expect(await codeOf('/rooms/report', ada, { messageId: own, roomId: 1 })).toBe('Forbidden')
    const messageId = await api.write(ada, can, 'kaba')
    for (let time = 0; time < 3; time++) expect((await reportMessage(can, messageId)).status).toBe(200)
    const reports = await api.reportsOf(ada)
    expect(reports).toHaveLength(1)
    await api.decide([reports[0]?.id ?? 0], 'nothing')
    expect((await reportMessage(can, messageId)).status).toBe(200)
    expect(await api.reportsOf(ada)).toEqual([])
    await api.reportProfile(can, ada)
    const [profile] = await api.reportsOf(ada)
    await api.decide([profile?.id ?? 0], 'nothing')
    await api.reportProfile(can, ada)
    expect(await api.reportsOf(ada)).toHaveLength(1)
  })

  it('[REPORT-04] sends no event to the reported user, the reporter and bystanders, and no contents to root admins', async () => {
    const emre = await api.region.createMember(`emre${turn}`)
    const clients = await Promise.all([ada, can, emre, api.root].map((user) => api.region.connectAs(user, 1)))
    const messageId = api.addRoomMessage(ada, 'kötüsöz')
    // The answer of a request follows everything that was sent before it.
    const settle = () => Promise.all(clients.map((client) => client.request('getRooms', {})))
    await settle()
    const before = clients.map(({ transport }) => transport.received.length)
    await api.ok('POST', '/rooms/report', can, { messageId, roomId: 1, note: 'gizlinot' })
    await api.contentOf((await api.reportsOf(ada))[0]?.id ?? 0)
    await settle()
    const frames = clients.map(({ transport }, index) => transport.received.slice(before[index]))
    // Counts of users come to all at any time; nothing else does but the answer.
    const others = frames.slice(0, 3).flat()
    expect(others.filter((value) => value[0] === Kind.event)).toEqual([])
    expect(JSON.stringify(others)).not.toMatch(/report|kötüsöz|gizlinot/i)
    const names = frames[3]?.flatMap((value) => (value[0] === Kind.event ? [value[2]] : []))
    expect(names).toEqual(['reportsChanged', 'actionRecorded'].map((name) => name as EventName))
    expect(JSON.stringify(frames[3])).not.toMatch(/kötüsöz|gizlinot/)
    expect(JSON.stringify(frames[3])).toContain(`"userId":${ada.userId}`)
  })

  it('[REPORT-05] is refused when the reporter has too many open ones', async () => {
    const insert =
      'insert into report (kind, key, reportedId, reporterId, reason, note, source, isSunk, weight, createdAt, isOpen) values'
    for (let index = 1; index < MAX_OPEN_REPORTS; index++)
      api.query(`${insert} ('post', ?, ?, ?, 'other', '', 'user', 0, 1, 1, 1)`, `x${index}`, deniz.userId, can.userId)
    await api.reportProfile(can, ada)
    const refused = { username: deniz.username }
    expect(await codeOf('/users/report', can, refused)).toBe('TooManyReports')
    const [report] = await api.reportsOf(ada)
    await api.decide([report?.id ?? 0], 'nothing')
    expect(await codeOf('/users/report', can, refused)).toBeUndefined()
  })

  it('[REPORT-20] keeps a hostile note as text with few lines', async () => {
    const note = `<img src=x onerror=alert(1)>\u202e\u0000${'\nx'.repeat(100)}`
    await api.reportProfile(can, ada, { note })
    const kept = (await api.reportsOf(ada))[0]?.note ?? ''
    expect(kept.startsWith('<img src=x onerror=alert(1)>\nx')).toBe(true)
    expect(['\u202e', '\u0000'].some((character) => kept.includes(character))).toBe(false)
    expect(kept.split('\n')).toHaveLength(MAX_REPORT_NOTE_LINES)
    expect(await codeOf('/users/report', can, { username: ada.username, note: 'x'.repeat(501) })).toBe('InvalidInput')
    expect(await codeOf('/users/report', can, { username: ada.username, reason: 'çirkin' })).toBe('InvalidInput')
  })

  it('[REPORT-21] stays when the accounts of both are erased, and can be decided', async () => {
    await api.reportProfile(can, ada)
    api.query('update user set nameReleasedAt = 1 where id in (?, ?)', ada.userId, can.userId)
    expect(await api.groupOf(ada)).toMatchObject({ openCount: 1, isGone: true })
    const [report] = await api.reportsOf(ada)
    expect(report).toMatchObject({ reporter: { username: can.username } })
    const { id } = await api.decide([report?.id ?? 0], 'ban', { duration: 'indefinite' })
    expect(id).toBeGreaterThan(0)
    expect(api.query('select * from notification where recipientId = ?', can.userId)).toEqual([])
  })
})

it('[REPORT-05] costs its user and its address points in ten minutes and in a day', async () => {
  const limited = await openReportsApi()
  const people = await Promise.all([1, 2, 3, 4].map((index) => limited.region.createMember(`kişi${index}`)))
  const codes = async (user: TestUser, count: number) => {
    const answers: unknown[] = []
    for (let time = 0; time < count; time++)
      answers.push((await limited.call('POST', '/posts/report', user, { postId: 1 })).body.code)
    return answers
  }
  const [one, two, three, four] = people as [TestUser, TestUser, TestUser, TestUser] // as many as were created
  expect(await codes(one, 60)).toEqual(Array(60).fill('NotFound'))
  // That of ten minutes for all from this address.
  expect(await codes(two, 1)).toEqual(['RateLimited'])
  limited.region.clockOffset.aheadMs += 10 * 60_000
  // That of a day for the user.
  expect([await codes(one, 1), await codes(three, 60)]).toEqual([['RateLimited'], Array(60).fill('NotFound')])
  limited.region.clockOffset.aheadMs += 10 * 60_000
  expect(await codes(four, 21)).toEqual(Array(21).fill('NotFound'))
  await limited.close()
})
