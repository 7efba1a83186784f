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
const undo = (id: number, user = api.root) => api.call('POST', `/moderation/decisions/${id}/undo`, user, {})
async function reported(user: TestUser, reporter = can): Promise<number> {
  await api.reportProfile(reporter, user)
  return (await api.reportsOf(user))[0]?.id ?? expect.unreachable('no report')
}
const activeBans = (user: TestUser) =>
  api.query<{ kind: string }>('select kind from ban where userId = ? and liftedAt is null', user.userId)
const activeMutes = (user: TestUser) =>
  api.query('select roomId from mute where userId = ? and liftedAt is null', user.userId)

describe('a decision', () => {
  it('[REPORT-12] [REPORT-14] bans from the site with its terms, and undone lifts that ban alone', async () => {
    const first = await reported(ada)
    const decision = await api.decide([first], 'ban', { duration: '1hr', banReason: 'Uygunsuz Nickname' })
    expect(decision).toMatchObject({ decision: 'ban', duration: '1hr', banReason: 'Uygunsuz Nickname', undoneAt: null })
    expect(decision.by).toEqual({ id: api.root.userId, username: 'kök' })
    expect(activeBans(ada)).toEqual([{ kind: 'site' }])
    expect(await api.groupOf(ada)).toMatchObject({ userIsBanned: true, openCount: 0 })
    const undone = await undo(decision.id, other)
    expect(undone.body.decision).toMatchObject({ undoneBy: { username: 'öteki' }, reportIds: [first] })
    expect(activeBans(ada)).toEqual([])
    expect(await api.reportsOf(ada)).toMatchObject([{ id: first, isOpen: true, decision: { id: decision.id } }])
    const second = await api.decide([first], 'ban', { duration: '10min' })
    await api.decide([await reported(ada, other)], 'ban', { duration: 'indefinite' })
    await undo(second.id)
    // A later ban has replaced it.
    expect(activeBans(ada)).toEqual([{ kind: 'site' }])
  })

  it('[REPORT-12] [REPORT-14] ghost-bans guests only, and undone ends it', async () => {
    const member = await decideAs(api.root, { reportIds: [await reported(ada)], decision: 'ghostBan', duration: '1hr' })
    expect(member).toMatchObject({ status: 403 })
    expect(await api.reportsOf(ada)).toHaveLength(1)
    const { id } = await api.decide([await reported(guest)], 'ghostBan', { duration: 'indefinite' })
    const isGhost = () => api.query('select isGhost from user where id = ?', guest.userId)
    expect([activeBans(guest), isGhost()]).toEqual([[{ kind: 'ghost' }], [{ isGhost: 1 }]])
    const reasons = api.query("select reason from actionEntry where kind = 'reportsDecided' and subjectId = ?", id)
    expect(reasons).toEqual([{ reason: null }])
    await undo(id)
    expect([activeBans(guest), isGhost()]).toEqual([[], [{ isGhost: 0 }]])
  })

  it('[REPORT-12] [REPORT-14] mutes on the site, warns, and undone takes both back while it can', async () => {
    const mute = await api.decide([await reported(ada)], 'mute', { duration: '1hr', text: 'Hakaret' })
    expect([mute.text, activeMutes(ada)]).toEqual(['Hakaret', [{ roomId: null }]])
    await undo(mute.id)
    expect(activeMutes(ada)).toEqual([])
    const reportIds = (await api.reportsOf(ada)).map((report) => report.id)
    const tooLong = { reportIds, decision: 'mute', duration: '1hr', text: 'x'.repeat(MAX_MUTE_REASON_LENGTH + 1) }
    expect((await decideAs(api.root, tooLong)).body).toMatchObject({ code: 'InvalidInput', path: 'text' })
    const unnamed = await api.decide(reportIds, 'mute', { duration: '1hr' })
    // The reason of the report, which its notice names.
    expect(unnamed.text).toBe('Diğer')
    expect(api.query('select reason from mute where userId = ? and liftedAt is null', ada.userId)).toEqual([
      { reason: 'Diğer' },
    ])
    await undo(unnamed.id)
    const warnings = () =>
      api.query('select text, withdrawnAt is null as isOpen from warning where userId = ?', ada.userId)
    const { id } = await api.decide([(await api.reportsOf(ada))[0]?.id ?? 0], 'warn', { text: 'Lütfen kibar ol.' })
    expect(warnings()).toEqual([{ text: 'Lütfen kibar ol.', isOpen: 1 }])
    await undo(id)
    expect(warnings()).toEqual([{ text: 'Lütfen kibar ol.', isOpen: 0 }])
  })

  it.each([
    ['mute', 'mute'],
    ['ban', 'ban'],
    ['ghostBan', 'ban'],
  ] as const)(
    '[REPORT-26] undone brings back what a %s replaced, unless it has ended meanwhile',
    async (decision, table) => {
      const target = decision === 'ghostBan' ? guest : ada
      const active = () => {
        const where = 'userId = ? and liftedAt is null and (endsAt is null or endsAt > 1)'
        return api.query(`select id, duration, endsAt from ${table} where ${where}`, target.userId)
      }
      await api.decide([await reported(target)], decision, { duration: 'indefinite', text: 'Önceki' })
      const earlier = active()
      expect(earlier).toMatchObject([{ duration: 'indefinite', endsAt: null }])
      const { id } = await api.decide([await reported(target, other)], decision, { duration: '10min', text: 'Sonraki' })
      expect(active()).toMatchObject([{ duration: '10min' }])
      await undo(id)
      expect(active()).toEqual(earlier)
      if (decision === 'ghostBan')
        expect(api.query('select isGhost from user where id = ?', target.userId)).toEqual([{ isGhost: 1 }])
      // The decision's own has ended too, and the earlier one is in force again.
      const ended = await api.decide([(await api.reportsOf(target))[0]?.id ?? 0], decision, { duration: '10min' })
      api.query(`update ${table} set endsAt = 1 where userId = ? and liftedAt is null`, target.userId)
      expect(active()).toEqual([])
      await undo(ended.id)
      expect(active()).toEqual(earlier)
      const again = await api.decide([(await api.reportsOf(target))[0]?.id ?? 0], decision, {
        duration: '10min',
        text: 'Sonraki',
      })
      api.query(`update ${table} set endsAt = 1 where userId = ? and duration = 'indefinite'`, target.userId)
      await undo(again.id)
      expect(active()).toEqual([])
    },
  )

  it('[REPORT-26] undone brings nothing back where the measure was lifted or replaced meanwhile', async () => {
    await api.decide([await reported(ada)], 'mute', { duration: 'indefinite', text: 'Önceki' })
    const second = await api.decide([await reported(ada, other)], 'mute', { duration: '10min', text: 'İkinci' })
    await api.decide([await reported(ada, guest)], 'mute', { duration: '1hr', text: 'Üçüncü' })
    await undo(second.id)
    expect(api.query('select reason from mute where userId = ? and liftedAt is null', ada.userId)).toEqual([
      { reason: 'Üçüncü' },
    ])
  })

  it('[REPORT-12] [REPORT-14] removes messages of both kinds, and undone shows them again', async () => {
    const direct = await api.write(ada, can, 'Kötü özel')
    const room = api.addRoomMessage(ada, 'Kötü oda')
    const kept = api.addRoomMessage(ada, 'Silinmiş')
    await api.ok('POST', '/dm/report', can, { messageId: direct, senderUsername: 'a', recipientUsername: 'b' })
    for (const messageId of [room, kept]) await api.ok('POST', '/rooms/report', can, { messageId, roomId: 1 })
    api.query('delete from message where id = ?', kept)
    const texts = () => [
      api.query('select content, isRemoved from directMessage where id = ?', direct),
      api.query('select content, isRemoved from message where id = ?', room),
    ]
    const ids = (await api.reportsOf(ada)).map((report) => report.id)
    const { id } = await api.decide(ids, 'remove')
    const gone = [{ content: '', isRemoved: 1 }]
    expect(texts()).toEqual([gone, gone])
    await undo(id)
    expect(texts()).toEqual([[{ content: 'Kötü özel', isRemoved: 0 }], [{ content: 'Kötü oda', isRemoved: 0 }]])
    expect(await api.reportsOf(ada)).toHaveLength(3)
  })

  it('[REPORT-12] [REPORT-14] empties a profile, and undone shows what the member has not written anew', async () => {
    const setProfile = (bio: string | null, avatarUrl: string | null) =>
      api.query('update user set bio = ?, avatarUrl = ? where id = ?', bio, avatarUrl, ada.userId)
    const profile = () => api.query('select bio, city, avatarUrl, username from user where id = ?', ada.userId)[0]
    setProfile('kötü', '/uploads/kaba.webp')
    const { username } = ada
    const { id } = await api.decide([await reported(ada)], 'remove')
    expect(profile()).toEqual({ bio: null, city: null, avatarUrl: null, username })
    setProfile('iyi', null)
    await undo(id)
    expect(profile()).toEqual({ bio: 'iyi', city: null, avatarUrl: '/uploads/kaba.webp', username })
    const client = await api.region.connectAs(can)
    await api.decide([(await api.reportsOf(ada))[0]?.id ?? 0], 'remove')
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
    expect((await undo(1_000_000)).status).toBe(404)
    expect(await api.groupOf(ada)).toMatchObject({ openCount: 1, decidedCount: 0 })
  })

  it('[REPORT-16] is refused about oneself, and with an effect on a root admin', async () => {
    const own = await reported(other)
    expect((await decideAs(other, { reportIds: [own], decision: 'nothing' })).body.code).toBe('Forbidden')
    for (const more of [{ decision: 'warn', text: 'x' }, { decision: 'ban', duration: '1hr' }, { decision: 'remove' }])
      expect((await decideAs(api.root, { reportIds: [own], ...more })).body.code).toBe('Forbidden')
    const { id } = await api.decide([own], 'nothing')
    expect((await undo(id, other)).body.code).toBe('Forbidden')
    expect((await undo(id)).status).toBe(200)
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
    const [{ id: decisionId } = { id: 0 }] = api.query<{ id: number }>('select max(id) as id from reportDecision')
    expect((await undo(decisionId)).status).toBe(200)
    const again = await undo(decisionId, other)
    expect(again.body).toMatchObject({ code: 'ReportDecided' })
    expect(again.body.message).toContain(isolateBidi('kök'))
  })

  it('[REPORT-13] is refused for an open report beside a decided one, and changes nothing', async () => {
    const decided = await reported(ada)
    await api.decide([decided], 'nothing')
    const open = await reported(ada, other)
    const { body } = await decideAs(other, { reportIds: [open, decided], decision: 'ban', duration: '1hr' })
    expect(body).toMatchObject({ code: 'ReportDecided' })
    expect(await api.groupOf(ada)).toMatchObject({ userIsBanned: false, openCount: 1, decidedCount: 1 })
  })

  it('[REPORT-24] cannot be changed, deleted or undone twice, whatever writes', async () => {
    const { id } = await api.decide([await reported(ada)], 'nothing')
    for (const change of ["decision = 'ban'", 'decidedById = userId', "reportIds = '[]'", 'at = 1'])
      expect(() => api.query(`update reportDecision set ${change}, undoneAt = 1 where id = ?`, id)).toThrow('undone')
    expect(() => api.query('delete from reportDecision where id = ?', id)).toThrow('kept')
    await undo(id)
    expect(() => api.query('update reportDecision set undoneAt = null where id = ?', id)).toThrow('undone')
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
    await undo(id)
    expect(await canClient?.waitForEvent('removeNotification')).toMatchObject({ type: 'reportDecided', requestId: id })
    await api.decide(ids, 'nothing', { reporterText: 'Teşekkürler, baktık.' })
    const latest = await canClient?.waitForEvent('newNotification', ({ content }) => content !== told?.content)
    expect(latest).toMatchObject({ content: 'Teşekkürler, baktık.' })
    await api.decide([await reported(guest)], 'nothing')
    const usual = await canClient?.waitForEvent('newNotification', ({ content }) => content === 'Bildirimin incelendi.')
    expect(usual).toBeDefined()
  })
})

describe('a removed post', () => {
  it('[REPORT-23] is gone for all, is shown again with its likes, and is deleted after 30 days', async () => {
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
    const { id } = await api.decide([report?.id ?? 0], 'remove')
    for (const user of [ada, can, api.root]) expect((await api.call('GET', `/posts/${postId}`, user)).status).toBe(404)
    const purge = async () => {
      let step: object = { removed: 1 }
      while ('removed' in step && step.removed) step = await api.region.appContext.execute(purgePosts, null, {})
    }
    await purge()
    await undo(id)
    expect(await api.ok('GET', `/posts/${postId}`, can)).toMatchObject({ post: { likeCount: 1, Likes: [{}] } })
    expect(await api.ok('GET', `/posts/user/${ada.userId}`, can)).toMatchObject({ postCount: 1 })
    const again = await api.decide([report?.id ?? 0], 'remove')
    api.query('update post set removedAt = removedAt - ? where id = ?', 31 * 24 * 60 * 60_000, postId)
    await purge()
    expect(api.query('select id from post where id = ?', postId)).toEqual([])
    expect((await undo(again.id)).status).toBe(200)
    expect((await api.call('GET', `/posts/${postId}`, can)).status).toBe(404)
    expect(await api.contentOf(report?.id ?? 0)).toMatchObject({ post: { description: 'kötü' } })
  })
})
