import type { Post } from '../src/shared/posts/post.ts'
import { type FilledPosts, fillPosts } from './measure/fill-posts.ts'
import { compareFigure, type Report } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'
import { meydan, type RunningMeydan } from './subjects/meydan.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const REQUESTS = 1_000
const IN_FLIGHT = 8
const MAX_GROWTH = 1.2
/** A full page, so that both answers are as long. */
const SMALL = 12
const LARGE = { posts: 10_000, reactions: 100_000 }

/** Lists of many posts, and a post with many likes and comments, against few. */
export async function measure(): Promise<Report> {
  const site = await meydan.start()
  try {
    const { signedIn } = await site.signInGuest()
    const few = fill(site, 'azpaylasan', { posts: SMALL, reactions: SMALL })
    const many = fill(site, 'cokpaylasan', LARGE)
    const read = (path: string, check: (answer: PostsAnswer) => boolean) => () =>
      measureReads(site, { path, token: signedIn.token, check })
    const list = ({ userId }: FilledPosts, query: string) =>
      read(`user/${userId}?${query}`, ({ posts }) => posts?.length === SMALL)
    const one = ({ postId }: FilledPosts) => read(`${postId}`, ({ post }) => post?.Comments.length === 3)
    const comments = ({ postId }: FilledPosts) => read(`comment/${postId}`, (answer) => answer.comments !== undefined)
    const oldPage = `before=${LARGE.posts / 2}-${many.postId}`
    const runs = {
      newest: list(many, ''),
      fewNewest: list(few, ''),
      byScore: list(many, 'sort=score'),
      fewByScore: list(few, 'sort=score'),
      older: list(many, oldPage),
      reacted: one(many),
      fewReacted: one(few),
      commented: comments(many),
      fewCommented: comments(few),
    }
    // Fills caches and lets the compiler see every path.
    for (const run of Object.values(runs)) await run()
    return toReport(await interleave(ROUNDS, runs))
  } finally {
    await site.stop()
  }
}

function fill(site: RunningMeydan, username: string, size: { posts: number; reactions: number }): FilledPosts {
  let filled: FilledPosts | undefined
  site.writeDatabase((db) => {
    filled = fillPosts(db, { username, ...size })
  })
  if (!filled) throw new Error('no posts were filled')
  return filled
}

/** What the routes answer. */
interface PostsAnswer {
  posts?: Post[]
  post?: Post
  comments?: object[]
}

/** CPU milliseconds of the server for one request of many. */
async function measureReads(
  site: RunningMeydan,
  { path, token, check }: { path: string; token: string; check: (answer: PostsAnswer) => boolean },
): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const before = await site.server.cpuSeconds()
  let started = 0
  const runOn = async (): Promise<void> => {
    while (started++ < REQUESTS) {
      const response = await fetch(`${site.server.origin}/api/posts/${path}`, { headers })
      const answer = (await response.json()) as PostsAnswer // the schema of the route
      if (!check(answer)) throw new Error(`/posts/${path} answered ${JSON.stringify(answer).slice(0, 200)}`)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, runOn))
  return (((await site.server.cpuSeconds()) - before) * 1_000) / REQUESTS
}

type RunName =
  | 'newest'
  | 'fewNewest'
  | 'byScore'
  | 'fewByScore'
  | 'older'
  | 'reacted'
  | 'fewReacted'
  | 'commented'
  | 'fewCommented'

function toReport(rounds: Record<RunName, number[]>): Report {
  const posts = LARGE.posts.toLocaleString('en')
  const reactions = LARGE.reactions.toLocaleString('en')
  const goal = { atMost: MAX_GROWTH }
  const compare = (what: string, ours: number[], peer: number[]) => compareFigure(what, 'CPU ms', ours, peer, goal)
  return {
    figures: [
      compare(`newest of ${posts} posts`, rounds.newest, rounds.fewNewest),
      compare(`best of ${posts} posts`, rounds.byScore, rounds.fewByScore),
      compare(`page in the middle of ${posts} posts`, rounds.older, rounds.fewNewest),
      compare(`post of ${reactions} likes and comments`, rounds.reacted, rounds.fewReacted),
      compare(`its latest comments`, rounds.commented, rounds.fewCommented),
    ],
    notes: [`The peers are ${SMALL} posts, which fill a page, and a post with ${SMALL} likes and comments.`],
  }
}
