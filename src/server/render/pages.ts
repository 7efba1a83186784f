import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import type { Boot } from '../../client/boot.ts'
import { NONCE_KEY } from '../http/security-headers.ts'
import type { PageName, PageProps } from './page-modules.ts'
import type { Renderer } from './renderer.ts'

export interface ShownPage {
  /** What the document knows of who asked. */
  boot: Boot
  status?: ContentfulStatusCode
  /** Instead of the page's own title. */
  title?: string
}

/** Answers requests with pages. */
export interface Pages {
  /** A page, or just its main part when the browser moves within the document. */
  show<N extends PageName>(c: Context, name: N, props: PageProps<N>, how: ShownPage): Response
  /** The page for an address that is none. */
  notFound(c: Context, boot?: Boot): Response
  /** The page for a bug: a reference that is in the log beside the error, and nothing else of it. */
  failed(c: Context, error: unknown): Response
}

const nobody: Boot = { session: null }

/** Pages depend on who asks, so no cache may keep one (trust.md, line 3). */
export function createPages(renderer: Renderer, log: Logger): Pages {
  const respond = <N extends PageName>(c: Context, name: N, props: PageProps<N>, how: ShownPage): Response => {
    const html = renderer.render(name, props, {
      theme: getCookie(c, 'theme') === 'light' ? 'light' : 'dark',
      nonce: c.get(NONCE_KEY) ?? '',
      partial: c.req.header('X-Meydan-Partial') === 'main',
      boot: how.boot,
      ...(how.title === undefined ? {} : { title: how.title }),
    })
    c.header('Cache-Control', 'private, no-store')
    c.header('Vary', 'X-Meydan-Partial')
    return c.html(html, how.status ?? 200)
  }
  const failed = (c: Context, error: unknown): Response => {
    const reference = randomBytes(6).toString('hex')
    log.error({ err: error, reference, path: c.req.path }, 'page failed')
    try {
      return respond(c, '_error', { reference }, { boot: nobody, status: 500 })
    } catch (shellError) {
      log.error({ err: shellError, reference }, 'error page failed')
      return c.text(`Bir hata oluştu. Hata kodu: ${reference}`, 500)
    }
  }
  return {
    show: (c, name, props, how) => {
      try {
        return respond(c, name, props, how)
      } catch (error) {
        return failed(c, error)
      }
    },
    notFound: (c, boot = nobody) => respond(c, '_404', {}, { boot, status: 404 }),
    failed,
  }
}
