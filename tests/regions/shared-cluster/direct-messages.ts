import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../../scripts/regions/poll-until.ts'
import type { RegionProcess } from '../../../scripts/regions/region-process.ts'
import { expectAnswer } from '../../drivers/live-connection.ts'
import { RegionClient, type RegionSession, signInGuestIn, uniqueName } from '../region-client.ts'
import { fetchFile, uploadPicture } from '../region-files.ts'
import { findMissingTool, shareFileCluster } from '../test-cluster.ts'

/** Two guests of a region, and one of the other. */
async function connectGuests(ist: RegionProcess, fra: RegionProcess) {
  const connect = async (region: RegionProcess) =>
    RegionClient.connect(region, await signInGuestIn(region, uniqueName('Yazışan')))
  const [near, third, far] = await Promise.all([connect(ist), connect(ist), connect(fra)])
  return { near, third, far }
}

describe.skipIf(findMissingTool('litefs'))('direct messages in two regions', () => {
  const openedCluster = shareFileCluster()

  it('[DM-67] carries direct messages, their ticks and what was missed from region to region', async () => {
    const [ist, fra] = [openedCluster().region('ist'), openedCluster().region('fra')]
    const { near, far, third } = await connectGuests(ist, fra)
    const contents = ({ connection }: RegionClient) =>
      connection.receivedEvents('directMessage').map(({ content }) => content)
    const send = async ({ connection }: RegionClient, { session }: RegionClient, content: string) =>
      expectAnswer(await connection.request('sendDirectMessage', { recipientUsername: session.username, content }))
        .message?.id

    const id = await send(near, far, 'uzağa')
    await pollUntil('the message is received', () => contents(far).length > 0)
    // The region that received it answers from its own copy.
    const { userId } = expectAnswer(
      await far.connection.request('dmSessionStart', { recipientUsername: near.session.username }),
    )
    const opened = expectAnswer(await far.connection.request('getDirectMessages', { userId }))
    expect(opened.messages).toMatchObject([{ id, content: 'Uzağa', read: false }])
    expectAnswer(await far.connection.request('markMessagesAsRead', { otherUsername: near.session.username }))
    await pollUntil('the tick is received', () => near.connection.receivedEvents('messagesRead').length > 0)
    expect(near.connection.receivedEvents('messagesRead')).toMatchObject([{ upToId: id, otherId: userId }])

    const { cursor } = far.connection
    far.connection.terminate()
    await send(near, far, 'tünelde')
    const returned = await RegionClient.connect(fra, far.session, cursor)
    expect(returned.resumed).toBe(true)
    await pollUntil('the missed message is replayed', () => contents(returned).includes('Tünelde'))
    await send(returned, near, 'geldim')
    await pollUntil('both receive the reply', () => [near, returned].every((user) => contents(user).includes('Geldim')))
    expect([contents(near), contents(returned)]).toEqual([
      ['Uzağa', 'Tünelde', 'Geldim'],
      ['Tünelde', 'Geldim'],
    ])
    expect([contents(third), third.connection.receivedEvents('messagesRead')]).toEqual([[], []])
  })

  it('[DM-31] serves the file of a direct message in the other region, to its two users only', {
    tags: 'deep',
  }, async () => {
    const [ist, fra] = [openedCluster().region('ist'), openedCluster().region('fra')]
    const { near, far, third } = await connectGuests(ist, fra)
    expectAnswer(await far.connection.request('updatePrivacySettings', { messageImagePrivacy: 'everyone' }))
    const mediaId = await uploadPicture(ist, near.session)
    const message = { recipientUsername: far.session.username, content: '', mediaId }
    expectAnswer(await near.connection.request('sendDirectMessage', message))
    const receivedMedia = () => far.connection.receivedEvents('directMessage')[0]?.media
    await pollUntil('the picture is received', () => receivedMedia()?.mediaId === mediaId)
    const { originalPath = '' } = receivedMedia() ?? {}
    const statuses = async (session: RegionSession) =>
      Promise.all([ist, fra].map(async (region) => (await fetchFile(region, originalPath, session)).status))
    // Before the other region has the file, and once it has it.
    expect(await statuses(third.session)).toEqual([404, 404])
    const sent = await (await fetchFile(ist, originalPath, near.session)).bytes()
    const fetched = await fetchFile(fra, originalPath, far.session)
    expect([fetched.status, await fetched.bytes()]).toEqual([200, sent])
    expect(await statuses(third.session)).toEqual([404, 404])
  })
})
