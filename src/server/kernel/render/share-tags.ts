import { escapeHtml } from './escape-html.ts'
import { escapeJsonForHtml } from './json-block.ts'

/** How a page that needs no session is found and shown in previews of links. */
export interface PageShare {
  /** Such as `https://meydan.example`. */
  origin: string
  /** The path of the page without anything that only one visitor needs. */
  path: string
  /** The path of a picture of 1,200 by 630 pixels. */
  picture: string
  /** Whether search engines may list it. */
  isIndexed: boolean
}

const SITE = 'Meydan'

/** The tags of `<head>` for search engines and previews: canonical, Open Graph, Twitter cards and JSON-LD. */
export function shareTags(page: { title: string; description: string | null }, share: PageShare): string[] {
  const url = share.origin + share.path
  const picture = share.origin + share.picture
  const description = page.description ?? ''
  const openGraph: Record<string, string> = {
    'og:site_name': SITE,
    'og:type': 'website',
    'og:locale': 'tr_TR',
    'og:title': page.title,
    'og:description': description,
    'og:url': url,
    'og:image': picture,
    'og:image:type': 'image/jpeg',
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': page.title,
  }
  const site = { '@type': 'WebSite', name: SITE, url: `${share.origin}/`, inLanguage: 'tr' }
  const about =
    share.path === '/' ? site : { '@type': 'WebPage', name: page.title, url, inLanguage: 'tr', isPartOf: site }
  const data = { '@context': 'https://schema.org', ...about, description, image: picture }
  return [
    `<link rel="canonical" href="${escapeHtml(url)}">`,
    ...(share.isIndexed ? [] : ['<meta name="robots" content="noindex">']),
    ...Object.entries(openGraph).map(([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}">`),
    // Title, description and picture are those of Open Graph.
    '<meta name="twitter:card" content="summary_large_image">',
    `<script type="application/ld+json">${escapeJsonForHtml(JSON.stringify(data))}</script>`,
  ]
}
