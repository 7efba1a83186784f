import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_MUTE_REASON_LENGTH } from '../../../shared/sanctions/limits.ts'
import { isolateBidi } from '../../../shared/text/bidi-isolate.ts'
import { openReportsApi, type ReportsApi } from '../../testing/fixtures/reports-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { purgePosts } from '../posts/purge-posts.ts'

let api: ReportsApi
let other: TestUser
let ada: TestUser
let can: TestUser
let guest: TestUser
let turn = 0

beforeAll(async () => {
  api = await openReportsApi({ MEYDAN_LIMIT_SCALE: '1000' })
  other = await api.region.createRootAdmin('öteki')
})
afterAll(() => api.close())
beforeEach(async () => {
  turn++
  ada = await api.region.createMember(`ada${turn}`)
  can = await api.region.createMember(`can${turn}`)
  guest = await api.region.createGuest(`gez${turn}`)
})

const decideAs = (user: TestUser, body: object) => api.call('POST', '/moderation/reports/decide', user, body)
async function reported(user: TestUser, reporter = can): Promise<number> {
  await api.reportProfile(reporter, user)
  return (await api.reportsOf(user))[0]?.id ?? expect.unreachable('no report')
}
const activeBans = (user: TestUser) =>
  api.query<{ kind: string }>(
    "select kind from restriction where userId = ? and liftedAt is null and kind <> 'mute'",
    user.userId,
  )
const activeMutes = (user: TestUser) =>
  api.query(
    "select roomId, reason from restriction where userId = ? and liftedAt is null and kind = 'mute'",
    user.userId,
  )

describe('a decision', () => {
  it('[REPORT-12] bans from the site with its terms', async () => {
    const first = await reported(ada)
    const decision = await api.decide([first], 'ban', { duration: '1hr', banReason: 'Uygunsuz Nickname' })
    const terms = { decision: 'ban', duration: '1hr', banReason: 'Uygunsuz Nickname' }
    expect(decision).toMatchObject({ ...terms, reportIds: [first], by: { id: api.root.userId, username: 'kök' } })
    expect(activeBans(ada)).toEqual([{ kind: 'siteBan' }])
    expect(await api.groupOf(ada)).toMatchObject({ userIsBanned: true, openCount: 0 })
  })

  it('[REPORT-12] ghost-bans guests only', async () => {
    const member = await decideAs(api.root, { reportIds: [await reported(ada)], decision: 'ghostBan', duration: '1hr' })
    expect(member).toMatchObject({ status: 403 })
    expect(await api.reportsOf(ada)).toHaveLength(1)
    const { id } = await api.decide([await reported(guest)], 'ghostBan', { duration: 'indefinite' })
    const isGhost = () => api.query('select isGhost from user where id = ?', guest.userId)
    expect([activeBans(guest), isGhost()]).toEqual([[{ kind: 'ghostBan' }], [{ isGhost: 1 }]])
    const reasons = api.query("select reason from actionEntry where kind = 'reportsDecided' and subjectId = ?", id)
    expect(reasons).toEqual([{ reason: null }])
  })

  it('[REPORT-12] mutes on the site, and warns', async () => {
    const mute = await api.decide([await reported(ada)], 'mute', { duration: '1hr', text: 'Hakaret' })
    expect([mute.text, activeMutes(ada)]).toEqual(['Hakaret', [{ roomId: null, reason: 'Hakaret' }]])
    const reportIds = [await reported(ada)]
    const tooLong = { reportIds, decision: 'mute', duration: '1hr', text: 'x'.repeat(MAX_MUTE_REASON_LENGTH + 1) }
    expect((await decideAs(api.root, tooLong)).body).toMatchObject({ code: 'InvalidInput', path: 'text' })
    const unnamed = await api.decide(reportIds, 'mute', { duration: '1hr' })
    // The reason of the report, which its notice names.
    expect([unnamed.text, activeMutes(ada)]).toEqual(['Diğer', [{ roomId: null, reason: 'Diğer' }]])
    await api.decide([await reported(ada)], 'warn', { text: 'Lütfen kibar ol.' })
    expect(api.query('select text from warning where userId = ?', ada.userId)).toEqual([{ text: 'Lütfen kibar ol.' }])
  })

  it('[REPORT-12] removes messages of both kinds', async () => {
    const direct = await api.write(ada, can, 'Kötü özel')
    const room = api.addRoomMessage(ada, 'Kötü oda')
    const kept = api.addRoomMessage(ada, 'Silinmiş')
    await api.ok('POST', '/dm/report', can, { messageId: direct, senderUsername: 'a', recipientUsername: 'b' })
    for (const messageId of [room, kept]) await api.ok('POST', '/rooms/report', can, { messageId, roomId: 1 })
    api.query('delete from message where id = ?', kept)
    await api.decide(
      (await api.reportsOf(ada)).map((report) => report.id),
      'remove',
    )
    const gone = [{ content: '', isRemoved: 1 }]
    expect(api.query('select content, isRemoved from directMessage where id = ?', direct)).toEqual(gone)
    expect(api.query('select content, isRemoved from message where id = ?', room)).toEqual(gone)
  })

  it('[REPORT-12] empties a profile, and lists show that', async () => {
    const { username } = ada
    api.query("update user set bio = 'kötü', avatarUrl = '/uploads/kaba.webp' where id = ?", ada.userId)
    const client = await api.region.connectAs(can)
    await api.decide([await reported(ada)], 'remove')
    const profile = api.query('select bio, city, avatarUrl, username from user where id = ?', ada.userId)
    expect(profile).toEqual([{ bio: null, city: null, avatarUrl: null, username }])
    const shown = await client.waitForEvent('userProfileUpdated')
    expect(shown).toMatchObject({ user: { id: ada.userId, avatarUrl: null } })
  })

  it('[REPORT-12] is refused without its terms, without anything to remove, of several users and of unknown reports', async () => {
    const [id, foreign] = [await reported(ada), await reported(can, ada)]
    const bodies = [
      [{ reportIds: [id], decision: 'warn', text: ' \n ' }, 'InvalidInput'],
      [{ reportIds: [id], decision: 'mute', text: 'neden' }, 'InvalidInput'],
      [{ reportIds: [id], decision: 'ban' }, 'InvalidInput'],
      [{ reportIds: [id], decision: 'ghostBan' }, 'InvalidInput'],
      [{ reportIds: [id], decision: 'remove' }, 'InvalidInput'],
      [{ reportIds: [id, foreign], decision: 'nothing' }, 'InvalidInput'],
      [{ reportIds: [], decision: 'nothing' }, 'InvalidInput'],
      [{ reportIds: Array.from({ length: 51 }, (_, index) => index + 1), decision: 'nothing' }, 'InvalidInput'],
      [{ reportIds: [id, 1_000_000], decision: 'nothing' }, 'NotFound'],
    ] as const
    for (const [body, code] of bodies) expect((await decideAs(api.root, body)).body).toMatchObject({ code })
    expect(await api.groupOf(ada)).toMatchObject({ openCount: 1, decidedCount: 0 })
  })

  it('[REPORT-16] is refused about oneself, and with an effect on a root admin', async () => {
    const own = await reported(other)
    expect((await decideAs(other, { reportIds: [own], decision: 'nothing' })).body.code).toBe('Forbidden')
    for (const more of [{ decision: 'warn', text: 'x' }, { decision: 'ban', duration: '1hr' }, { decision: 'remove' }])
      expect((await decideAs(api.root, { reportIds: [own], ...more })).body.code).toBe('Forbidden')
    await api.decide([own], 'nothing')
  })

  it('[REPORT-13] is made by the first of two root admins; the second is told who and when', async () => {
    const id = await reported(ada)
    const body = { reportIds: [id], decision: 'ban', duration: '1hr' }
    const answers = await Promise.all([decideAs(api.root, body), decideAs(other, { ...body, decision: 'nothing' })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const winner = answers[0]?.status === 200 ? 'kök' : 'öteki'
    const refused = answers.find(({ status }) => status === 409)?.body
    expect(refused).toMatchObject({ code: 'ReportDecided' })
    expect(refused?.message).toContain(isolateBidi(winner))
    expect(api.query('select id from reportDecision where userId = ?', ada.userId)).toHaveLength(1)
  })

  it('[REPORT-13] is refused for an open report beside a decided one, and changes nothing', async () => {
    const decided = await reported(ada)
    await api.decide([decided], 'nothing')
    const open = await reported(ada, other)
    const { body } = await decideAs(other, { reportIds: [open, decided], decision: 'ban', duration: '1hr' })
    expect(body).toMatchObject({ code: 'ReportDecided' })
    expect(await api.groupOf(ada)).toMatchObject({ userIsBanned: false, openCount: 1, decidedCount: 1 })
  })

  it('[REPORT-24] cannot be changed or deleted, whatever writes', async () => {
    const { id } = await api.decide([await reported(ada)], 'nothing')
    for (const change of ["decision = 'ban'", 'decidedById = userId', "reportIds = '[]'", 'at = 1'])
      expect(() => api.query(`update reportDecision set ${change} where id = ?`, id)).toThrow('undone')
    expect(() => api.query('delete from reportDecision where id = ?', id)).toThrow('kept')
  })

  it('[REPORT-24] of an earlier release that was undone is not shown, and its reports are open', async () => {
    const reportId = await reported(ada)
    const { id } = await api.decide([reportId], 'nothing')
    api.query('update reportDecision set undoneAt = 1, undoneById = ? where id = ?', api.root.userId, id)
    api.query('update report set isOpen = 1, decidedAt = null where id = ?', reportId)
    expect(await api.reportsOf(ada)).toMatchObject([{ id: reportId, isOpen: true, decision: null }])
    await api.decide([reportId], 'nothing')
  })
})

describe('the reporters', () => {
  it('[REPORT-15] are told once that it was looked at, not what was done, and the reported user gets nothing of them', async () => {
    const [adaClient, canClient] = await Promise.all([ada, can].map((user) => api.region.connectAs(user)))
    api.query('insert into block (blockerId, blockedId, createdAt) values (?, ?, 1)', can.userId, ada.userId)
    for (const text of ['bir', 'iki'])
      await api.ok('POST', '/rooms/report', can, { messageId: api.addRoomMessage(ada, text), roomId: 1 })
    const ids = (await api.reportsOf(ada)).map(({ id }) => id)
    const { id } = await api.decide(ids, 'mute', { duration: '1hr', text: 'gizlisebep' })
    const told = await canClient?.waitForEvent('newNotification')
    expect(told).toMatchObject({ type: 'reportDecided', content: 'Bildirimin incelendi ve işlem yapıldı.' })
    expect(told).toMatchObject({ senderId: can.userId, senderUsername: can.username, requestId: id })
    expect(JSON.stringify(told)).not.toMatch(new RegExp(`gizlisebep|${ada.username}|kök`))
    await adaClient?.request('getRooms', {})
    expect(canClient?.countEvents('newNotification')).toBe(1)
    expect(JSON.stringify(adaClient?.transport.received)).not.toMatch(new RegExp(`${can.username}|eport|bildirim`, 'i'))
    await api.decide([await reported(ada)], 'nothing', { reporterText: 'Teşekkürler, baktık.' })
    const latest = await canClient?.waitForEvent('newNotification', ({ content }) => content !== told?.content)
    expect(latest).toMatchObject({ content: 'Teşekkürler, baktık.' })
    await api.decide([await reported(guest)], 'nothing')
    const usual = await canClient?.waitForEvent('newNotification', ({ content }) => content === 'Bildirimin incelendi.')
    expect(usual).toBeDefined()
  })
})

describe('a removed post', () => {
  it('[REPORT-23] is gone for all at once, and its report keeps it', async () => {
    const postId = 5_000 + turn
    api.query(
      `insert into post (id, userId, type, path, sizeBytes, description, isArchived, createdAt, likeCount, commentCount,
         score, isReported, isPurging) values (?, ?, 'photo', 'x.webp', 1, 'kötü', 0, 1, 1, 0, 1, 0, 0)`,
      ...[postId, ada.userId],
    )
    api.query('insert into postTotal values (?, 1)', ada.userId)
    api.query('insert into postLike (postId, userId, createdAt) values (?, ?, 1)', postId, guest.userId)
    await api.ok('POST', '/posts/report', can, { postId })
    const [report] = await api.reportsOf(ada)
    await api.decide([report?.id ?? 0], 'remove')
    for (const user of [ada, can, api.root]) expect((await api.call('GET', `/posts/${postId}`, user)).status).toBe(404)
    expect(await api.ok('GET', `/posts/user/${ada.userId}`, can)).toMatchObject({ postCount: 0 })
    let step: object = { removed: 1 }
    while ('removed' in step && step.removed) step = await api.region.appContext.execute(purgePosts, null, {})
    expect(api.query('select id from post where id = ?', postId)).toEqual([])
    expect(await api.contentOf(report?.id ?? 0)).toMatchObject({ post: { description: 'kötü' } })
  })
})
