import type { Locator } from 'playwright-core'
import { mediaSamples } from '../../src/server/testing/fixtures/test-media.ts'
import { foldName } from '../../src/shared/text/turkish.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import { createTestPhoto } from '../fixtures/test-photo.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, type Screen } from './screen-steps.ts'

const COMMENTERS = ['Nehir', 'Uzunİsimliİnsan2026']
const publishedSites = new WeakSet<Site>()

interface UploadedFile {
  name: string
  mimeType: string
  buffer: Buffer
}

/** Publishes a post of this browser's user. */
export async function publishPost(
  { page }: ChatPage,
  post: { type: 'photo' | 'video'; description: string; file: UploadedFile; poster?: UploadedFile },
): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await page.request.post('/api/posts', { headers, multipart: { ...post } })
  if (!answer.ok()) throw new Error(`the post was answered with ${answer.status()}: ${await answer.text()}`)
}

/** Enters as a root admin with a photo, a video, an archived photo and comments. */
async function enterWithPosts(visitor: ChatPage, site: Site): Promise<void> {
  await enterAsRootAdmin(visitor, site)
  if (publishedSites.has(site)) return
  publishedSites.add(site)
  const video = { name: 'gezi.webm', mimeType: 'video/webm', buffer: mediaSamples.webmVideo }
  await publishPost(visitor, { type: 'photo', description: 'Geçen yazdan', file: await createTestPhoto('#a6635b') })
  const archived = "(select max(id) from post where userId = (select id from user where username = 'Zeynep'))"
  updateSiteDatabase(site, `update post set isArchived = 1 where id = ${archived}`)
  const poster = await createTestPhoto('#35607a')
  await publishPost(visitor, { type: 'video', description: 'Vapurda martılar', file: video, poster })
  await publishPost(visitor, {
    type: 'photo',
    description:
      'Kuzey Ormanları’nda sabah yürüyüşü :) @Nehir sen de gelmeliydin. Yol tarifi: https://meydan.example/rota',
    file: await createTestPhoto(),
  })
  addComments(site)
  sharePost(site, 'Nehir')
}

/** Gives another member the latest post too. */
function sharePost(site: Site, username: string): void {
  const owner = `(select id from user where username = '${username}')`
  const columns =
    'type, path, mediumPath, thumbnailPath, sizeBytes, width, height, durationMs, blur, isArchived, createdAt, likeCount, commentCount, score, isReported, deletedAt, isPurging'
  updateSiteDatabase(
    site,
    `insert into post (id, userId, description, ${columns})
     select 900, ${owner}, 'Ormandan herkese selam 🌲', ${columns.replace('commentCount', '0')} from post order by id desc limit 1`,
  )
  updateSiteDatabase(
    site,
    `insert into postFile (path, postId) select path, 900 from postFile where postId = (select max(id) from post where id < 900)`,
  )
}

/** Comments of other members on the latest post. */
function addComments(site: Site): void {
  const texts = ['Harika çıkmış 😍', 'Bir dahaki sefere beraber gidelim mi? @Zeynep', 'Hangi parkur bu?', 'Çok güzel!']
  const owned = "(select max(id) from post where userId = (select id from user where username = 'Zeynep'))"
  for (const name of COMMENTERS)
    updateSiteDatabase(
      site,
      `insert into user (username, foldedName, gender, isGuest, role, lastLoginPlatform, accountPrivacy, createdAt, lastSeenAt)
       select '${name}', '${foldName(name)}', 'female', 0, 'member', 'web', 'public', 0, ${Date.now()}
       where not exists (select 1 from user where username = '${name}')`,
    )
  texts.forEach((text, index) => {
    updateSiteDatabase(
      site,
      `insert into postComment (id, postId, userId, content, createdAt)
       select 1000 + ${index}, ${owned}, id, '${text}', ${Date.now() - (texts.length - index) * 400_000}
       from user where username = '${COMMENTERS[index % COMMENTERS.length]}'`,
    )
  })
  updateSiteDatabase(
    site,
    `update post set commentCount = ${texts.length}, likeCount = 12, score = 20 where id = ${owned}`,
  )
}

/** Opens 'Gönderilerim'. */
async function openPosts(visitor: ChatPage, site: Site): Promise<Locator> {
  await enterWithPosts(visitor, site)
  await visitor.openSideMenu()
  await visitor.sideMenuEntry('Gönderilerim').click()
  const post = visitor.page.getByRole('article').first()
  await post.locator('.media-picture[data-status=loaded]').waitFor()
  return post
}

export async function choosePostOption({ page }: ChatPage, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Seçenekler' }).click()
  await page.getByRole('menu').getByText(name, { exact: true }).click()
}

/** The viewer's posts, their comments, the archive and the new-post form. */
export const postScreens: Screen[] = [
  { name: 'posts', signedInAs: 'rootAdmin', open: openPosts },
  {
    name: 'posts-comments',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      const post = await openPosts(visitor, site)
      await post.getByRole('button', { name: /^Yorumlar/ }).click()
      await post.getByRole('textbox', { name: 'Yorum yaz' }).fill('Teşekkürler @')
      await post.getByText('Harika çıkmış').waitFor()
    },
  },
  {
    name: 'posts-profile',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      const post = await openPosts(visitor, site)
      await post.getByRole('button', { name: '@Nehir' }).click()
      const profile = visitor.page.getByRole('dialog', { name: 'Profil', exact: true })
      await profile.getByRole('article').locator('.media-picture[data-status=loaded]').waitFor()
    },
  },
  {
    name: 'posts-menu',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openPosts(visitor, site)
      await visitor.page.getByRole('button', { name: 'Seçenekler' }).click()
      await visitor.page.getByRole('menuitemradio', { name: 'En yeni' }).waitFor()
    },
  },
  {
    name: 'posts-archive',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openPosts(visitor, site)
      await choosePostOption(visitor, 'Arşiv')
      await visitor.page.getByRole('dialog', { name: 'Arşiv' }).getByText('Geçen yazdan').waitFor()
    },
  },
  {
    name: 'posts-new',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openPosts(visitor, site)
      await choosePostOption(visitor, 'Yeni Paylaşım')
      const form = visitor.page.getByRole('dialog', { name: 'Yeni Paylaşım' })
      await form.getByRole('button', { name: 'Paylaş', exact: true }).click()
      await form.getByText('Paylaşmak için bir dosya seç.').waitFor()
    },
  },
  {
    name: 'posts-new-photo',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openPosts(visitor, site)
      await choosePostOption(visitor, 'Yeni Paylaşım')
      const form = visitor.page.getByRole('dialog', { name: 'Yeni Paylaşım' })
      await form.locator('input[data-post-file]').setInputFiles(await createTestPhoto())
      await form.getByRole('textbox').fill('Dağların arkasından doğan güneş')
      await form.getByAltText('Seçilen fotoğraf').waitFor()
    },
  },
]
