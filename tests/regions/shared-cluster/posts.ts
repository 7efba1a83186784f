import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../../scripts/regions/poll-until.ts'
import { originOf } from '../../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../../scripts/regions/region-process.ts'
import type { Post } from '../../../src/shared/posts/post.ts'
import { expectAnswer } from '../../drivers/live-connection.ts'
import { createTestPhoto } from '../../fixtures/test-photo.ts'
import { RegionClient, type RegionSession, signInGuestIn, signInRootAdmins, uniqueName } from '../region-client.ts'
import { findMissingTool, shareFileCluster } from '../test-cluster.ts'

/** Sends a request below `/api` as a user, and resolves with its answer. */
async function send<T>(
  { plan }: RegionProcess,
  { token }: RegionSession,
  path: string,
  body: FormData | object = {},
): Promise<T> {
  const origin = originOf(plan)
  const isForm = body instanceof FormData
  const headers = { origin, authorization: `Bearer ${token}`, ...(!isForm && { 'content-type': 'application/json' }) }
  const answer = await fetch(`${origin}/api${path}`, {
    method: 'POST',
    headers,
    body: isForm ? body : JSON.stringify(body),
  })
  const parsed = (await answer.json()) as T // the schema of the route
  expect(parsed).toMatchObject({ success: true })
  return parsed
}

async function publish(region: RegionProcess, owner: RegionSession, tint: string): Promise<Post> {
  const { buffer } = await createTestPhoto(tint)
  const form = new FormData()
  form.set('type', 'photo')
  form.set('file', new Blob([new Uint8Array(buffer)]), 'resim.jpg')
  return (await send<{ post: Post }>(region, owner, '/posts', form)).post
}

async function fetchStatus({ plan }: RegionProcess, { cookie }: RegionSession, path: string): Promise<number> {
  const answer = await fetch(`${originOf(plan)}${path}`, { headers: { cookie } })
  await answer.arrayBuffer()
  return answer.status
}

describe.skipIf(findMissingTool('litefs'))('posts in two regions', () => {
  const openedCluster = shareFileCluster()

  it('[POST-35] are seen live with their files in the other region, until a block there ends it', async () => {
    const cluster = openedCluster()
    const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
    const roots = await signInRootAdmins(cluster, 'ist', 'fra')
    for (const [own, other, owner, liker, tints] of [
      [ist, fra, roots.ist, roots.fra, ['#7d5ba6', '#2f7d5b']],
      [fra, ist, roots.fra, roots.ist, ['#a65b5b', '#5b7da6']],
    ] as const) {
      const guest = await signInGuestIn(other, uniqueName('Bakan'))
      const { connection } = await RegionClient.connect(other, guest)
      const earlier = await publish(own, owner, tints[0])
      const userId = earlier.userId
      await pollUntil('the viewer may watch', async () => {
        const answer = await connection.request('watchPosts', { userId })
        return 'cursor' in answer && (await fetchStatus(other, guest, earlier.url)) === 200
      })
      const post = await publish(own, owner, tints[1])
      const received = () => connection.receivedEvents('postCreated').map((event) => event.post.id)
      await pollUntil('the post arrives', () => received().includes(post.id))
      expect(await fetchStatus(other, guest, post.thumbnailUrl ?? '')).toBe(200)
      await send(other, liker, `/posts/like/${post.id}`)
      const counts = () => connection.receivedEvents('postCountsChanged')
      await pollUntil('the like arrives', () =>
        counts().some(({ postId, likeCount }) => postId === post.id && likeCount === 1),
      )

      await send(own, owner, '/users/block', { blockedUsername: guest.username })
      await pollUntil('watching ends', () => connection.receivedEvents('postsClosed').length === 1)
      const known = received()
      const bystander = (await RegionClient.connect(other, liker)).connection
      expectAnswer(await bystander.request('watchPosts', { userId }))
      await publish(own, owner, '#123456')
      await pollUntil('the next post arrives', () => bystander.receivedEvents('postCreated').length === 1)
      expectAnswer(await connection.request('getRooms', {}))
      expect(received()).toEqual(known)
      for (const region of [own, other]) expect(await fetchStatus(region, guest, post.url)).toBe(404)
    }
  })
})
