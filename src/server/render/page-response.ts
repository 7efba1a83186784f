import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Boot } from '../../client/boot.ts'
import { NONCE_KEY } from '../http/security-headers.ts'
import type { PageName, PageProps } from './page-modules.ts'
import type { Renderer } from './renderer.ts'

const encoder = new TextEncoder()

/**
 * A page for whoever asks, or just its main part when the browser moves within a document. It depends on who that
 * is, so no cache may keep it (docs/trust.md, 3). The status is the context's. Throws what the page throws.
 */
export function pageResponse<N extends PageName>(
  context: Context,
  renderer: Renderer,
  name: N,
  props: PageProps<N>,
  boot: Boot,
): Response {
  const html = renderer.render(name, props, {
    theme: getCookie(context, 'theme') === 'light' ? 'light' : 'dark',
    nonce: context.get(NONCE_KEY) ?? '',
    boot,
    partial: context.req.header('X-Meydan-Partial') === 'main',
  })
  context.header('Cache-Control', 'private, no-store')
  context.header('Vary', 'Cookie, X-Meydan-Partial')
  // As bytes: a string would be checked and encoded by the slower ways of the Response class.
  return context.body(encoder.encode(html), { headers: { 'Content-Type': 'text/html; charset=UTF-8' } })
}

/**
 * The page for a bug, with the reference that the log has beside the error and nothing else of it.
 * If the shell itself is what fails, the sentence alone.
 */
export function failureResponse(context: Context, renderer: Renderer, reference: string): Response {
  context.status(500)
  try {
    return pageResponse(context, renderer, '_error', { reference }, {})
  } catch {
    return context.text(`Bir hata oluştu. Hata kodu: ${reference}`)
  }
}
