import { expect, it } from 'vitest'
import { shareTags } from './share-tags.ts'

const ORIGIN = 'https://meydan.example'
const share = { origin: ORIGIN, path: '/room/7', picture: '/room/7/card.jpg', isIndexed: true }

/** The `content` of the tags, by `property` or `name`. */
const contents = (tags: string[]) =>
  Object.fromEntries(
    tags.flatMap((tag) => {
      const [, name, content] = /^<meta (?:property|name)="([^"]+)" content="([^"]*)">$/.exec(tag) ?? []
      return name === undefined ? [] : [[name, content]]
    }),
  )
const jsonLd = (tags: string[]) =>
  JSON.parse(/^<script type="application\/ld\+json">(.*)<\/script>$/.exec(tags.at(-1) ?? '')?.[1] ?? '')

it('[SHARE-08] names the page, its address and its picture', () => {
  const tags = shareTags({ title: '#Müzik · Meydan', description: 'Şu anda 3 kişi içeride' }, share)
  expect(tags[0]).toBe(`<link rel="canonical" href="${ORIGIN}/room/7">`)
  expect(contents(tags)).toMatchObject({
    'og:title': '#Müzik · Meydan',
    'og:description': 'Şu anda 3 kişi içeride',
    'og:url': `${ORIGIN}/room/7`,
    'og:image': `${ORIGIN}/room/7/card.jpg`,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:locale': 'tr_TR',
    'twitter:card': 'summary_large_image',
  })
  expect(contents(tags)).not.toHaveProperty('robots')
  expect(jsonLd(tags)).toMatchObject({
    '@type': 'WebPage',
    url: `${ORIGIN}/room/7`,
    isPartOf: { '@type': 'WebSite', url: `${ORIGIN}/` },
  })
  expect(jsonLd(shareTags({ title: 'Meydan', description: null }, { ...share, path: '/' }))['@type']).toBe('WebSite')
})

it('[SHARE-09] asks search engines not to list the page', () => {
  expect(contents(shareTags({ title: 'Gizli', description: null }, { ...share, isIndexed: false })).robots).toBe(
    'noindex',
  )
})

it('[SHARE-08] escapes the name of the room in every tag', () => {
  const title = `"><script>alert(1)</script>'</title>`
  const tags = shareTags({ title, description: title }, share)
  for (const tag of tags) expect(tag.match(/</g)?.length).toBe(tag.startsWith('<script') ? 2 : 1)
  expect(contents(tags)['og:title']).toBe('&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#39;&#60;/title&#62;')
  expect(jsonLd(tags).name).toBe(title)
})
