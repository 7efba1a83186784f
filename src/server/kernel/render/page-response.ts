import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Boot } from '../../../client/core/session/boot.ts'
import { parseTheme } from '../../../shared/settings/theme.ts'
import { acceptsEncoding } from '../http/accept-encoding.ts'
import { NONCE_KEY } from '../http/security-headers.ts'
import { gzipPage } from './gzip-page.ts'
import type { PageName, PageProps } from './page-modules.ts'
import { joinParts } from './page-parts.ts'
import type { Renderer } from './renderer.ts'
import type { PageShare } from './share-tags.ts'

/**
 * Responds with a page, or with its main part on a navigation within a document. Pages depend on the session, so no
 * shared cache may store them (docs/trust.md, 3). Uses the status of the context. Throws what the page throws.
 */
export function pageResponse<N extends PageName>(
  context: Context,
  renderer: Pick<Renderer, 'render'>,
  name: N,
  props: PageProps<N>,
  boot: Boot,
  share: PageShare | null = null,
): Response {
  const parts = renderer.render(name, props, {
    theme: parseTheme(getCookie(context, 'theme')),
    nonce: context.get(NONCE_KEY) ?? '',
    boot,
    share,
    partial: context.req.header('X-Meydan-Partial') === 'main',
  })
  context.header('Cache-Control', 'private, no-store')
  context.header('Vary', 'Cookie, Accept-Encoding, X-Meydan-Partial')
  context.header('Content-Type', 'text/html; charset=UTF-8')
  if (!acceptsEncoding(context.req.header('Accept-Encoding'), 'gzip')) return context.body(joinParts(parts))
  context.header('Content-Encoding', 'gzip')
  // Without a cookie the request names nobody, so the page has no token and no text for one visitor.
  const isForAnyone = boot.session === null && context.req.header('Cookie') === undefined
  return context.body(gzipPage(parts, !isForAnyone))
}

/** The page for an unexpected error: shows only the reference under which it is logged; plain text if the shell fails. */
export function failureResponse(context: Context, renderer: Renderer, reference: string): Response {
  context.status(500)
  try {
    return pageResponse(context, renderer, '_error', { reference }, {})
  } catch {
    return context.text(`Bir hata oluştu. Hata kodu: ${reference}`)
  }
}
