import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { setUpFixtureBrowser } from './fixture-site-browser.ts'

const fixture = setUpFixtureBrowser()

/** Every breach of the policy from now on, as the browser reports it. */
async function recordViolations(page: Page): Promise<{ directive: string; uri: string }[]> {
  const violations: { directive: string; uri: string }[] = []
  await page.exposeFunction('report', (directive: string, uri: string) => violations.push({ directive, uri }))
  await page.evaluate(() => {
    // Playwright has just put it there.
    const { report } = window as unknown as { report: (directive: string, uri: string) => void }
    document.addEventListener('securitypolicyviolation', (event) => report(event.effectiveDirective, event.blockedURI))
  })
  return violations
}

/** What people might write to get a script into a page (docs/trust.md, 10). */
const XSS_TEXTS = [
  '</script><script>window.stolen = 1</script>',
  '<!--<script>window.stolen = 1',
  '<!-- --!><img src=x onerror="window.stolen = 1">',
  '"><svg onload=window.stolen=1>',
  "' onfocus='window.stolen = 1' autofocus='",
  '</title><script>window.stolen = 1</script>',
  '</textarea></style><iframe srcdoc="<script>parent.stolen = 1</script>">',
  '<m-island data-name="/tests/islands/site/pieces/counter.island.tsx#Counter" data-on="load"></m-island>',
  '\\u003c/script>\u2028\u2029&lt;b&gt;&amp;{window.stolen = 1}',
  'javascript:window.stolen=1',
]

describe('text that people wrote', () => {
  it.each(XSS_TEXTS)('stays text in the title, the page, an island and the boot data: %s', async (text) => {
    const page = await fixture.context.newPage()
    const dialogs: string[] = []
    page.on('dialog', (dialog) => dialogs.push(dialog.message()))
    await page.goto(`/hostile?text=${encodeURIComponent(text)}`)
    await page.waitForFunction(() => document.querySelectorAll('main m-island[data-live]').length === 1)
    const seen = await page.evaluate(() => ({
      title: document.head.querySelector('title')?.textContent,
      description: document.querySelector<HTMLMetaElement>('meta[name=description]')?.content,
      paragraph: document.querySelector('main > p')?.textContent,
      attribute: document.querySelector<HTMLElement>('main > p')?.title,
      label: document.querySelector('main m-island span')?.textContent,
      boot: JSON.parse(document.querySelector('#boot')?.textContent ?? '').session.user.username,
      handlers: document.querySelectorAll('[onerror], [onload], [onfocus]').length,
      scripts: document.querySelectorAll('script:not([type="application/json"]):not([src])').length,
      stolen: 'stolen' in window,
    }))
    const nothing = { handlers: 0, scripts: 0, stolen: false }
    const everywhere = { title: text, description: text, paragraph: text, attribute: text, label: text, boot: text }
    expect(seen).toEqual({ ...everywhere, ...nothing })
    expect(dialogs).toEqual([])
  })
})

describe('the policy', () => {
  it('blocks inline scripts, handlers, style attributes and files that carry no nonce', async () => {
    const page = await fixture.context.newPage()
    await page.goto('/')
    const violations = await recordViolations(page)
    await page.evaluate(() => {
      const inline = document.createElement('script')
      inline.textContent = 'window.stolen = 1'
      const file = document.createElement('script')
      file.src = '/uploads/avatar.js'
      document.body.append(inline, file)
      document.body.insertAdjacentHTML('beforeend', '<b style="color: red" onclick="window.stolen = 1"></b>')
      document.querySelector('b')?.click()
    })
    await expect
      .poll(async () => violations.map(({ directive }) => directive).sort())
      .toEqual(['script-src-attr', 'script-src-elem', 'script-src-elem', 'style-src-attr'])
    expect(await page.evaluate(() => 'stolen' in window)).toBe(false)
  })

  it('lets a page open a socket to its own host, and to no other', async () => {
    const page = await fixture.context.newPage()
    await page.goto('/')
    const violations = await recordViolations(page)
    await page.evaluate(() => {
      for (const url of [`ws://${location.host}/live`, 'ws://127.0.0.1:9/']) {
        try {
          new WebSocket(url)
        } catch {}
      }
    })
    await expect.poll(() => violations.map(({ uri }) => uri)).toEqual(['ws://127.0.0.1:9/'])
  })

  it('has another nonce for every request, and puts it on every script', async () => {
    const [one, two] = await Promise.all([fetch(fixture.site.origin), fetch(fixture.site.origin)])
    const nonce = (answer: Response) =>
      /script-src 'nonce-([^']+)'/.exec(answer.headers.get('Content-Security-Policy') ?? '')?.[1]
    expect(nonce(one)).not.toBe(nonce(two))
    const scripts = (await one.text()).match(/<script (?!type="application\/json")[^>]*>/g) ?? []
    expect(scripts).toHaveLength(1)
    expect(scripts[0]).toContain(`nonce="${nonce(one)}"`)
  })

  it('sends the other security headers', async () => {
    const { headers } = await fetch(fixture.site.origin)
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(self), microphone=(self), geolocation=(), payment=(), usb=()',
    })
    expect(headers.get('Content-Security-Policy')).toMatch(/frame-ancestors 'none'.*|base-uri 'none'/)
    expect(headers.get('Content-Security-Policy')).not.toContain('unsafe')
    // A recording is played from memory before it is sent.
    expect(headers.get('Content-Security-Policy')).toContain("media-src 'self' blob:")
    expect(headers.get('Strict-Transport-Security')).toBeNull()
    const behindTls = await fetch(fixture.site.origin, { headers: { 'X-Forwarded-Proto': 'https' } })
    expect(behindTls.headers.get('Strict-Transport-Security')).toContain('max-age=31536000')
  })
})

describe('the theme', () => {
  it.each([
    ['no cookie', undefined, 'dark', 'rgb(10, 10, 10)'],
    ['theme=dark', 'dark', 'dark', 'rgb(10, 10, 10)'],
    ['theme=light', 'light', 'light', 'rgb(250, 250, 250)'],
    ['a cookie with something else', '"><b>', 'dark', 'rgb(10, 10, 10)'],
  ])('is set by the server with %s, without scripts', async (_, cookie, theme, background) => {
    const withoutScripts = await fixture.browser.newContext({ javaScriptEnabled: false })
    if (cookie)
      await withoutScripts.addCookies([{ name: 'theme', value: encodeURIComponent(cookie), url: fixture.site.origin }])
    const page = await withoutScripts.newPage()
    await page.goto(fixture.site.origin)
    const html = page.locator('html')
    expect(await html.getAttribute('data-theme')).toBe(theme)
    expect(await html.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(background)
    await withoutScripts.close()
  })
})

describe('a page as an answer', () => {
  it('is not cached, with any status', async () => {
    for (const path of ['/', '/room/1', '/leak']) {
      expect((await fetch(fixture.site.origin + path)).headers.get('Cache-Control'), path).toBe('private, no-store')
    }
  })

  it('says that it could not be rendered, with the reference of the log and nothing else of the error', async () => {
    const answer = await fetch(`${fixture.site.origin}/leak`)
    const html = await answer.text()
    expect(answer.status).toBe(500)
    expect(html).toContain('Bir hata oluştu')
    expect(html).toContain('a1b2c3')
    expect(html).not.toMatch(/module signal|bundle\.js|\bat \w+ \(/)
  })

  it('is only the main part for a move', async () => {
    const answer = await fetch(`${fixture.site.origin}/room/1`, { headers: { 'X-Meydan-Partial': 'main' } })
    const html = await answer.text()
    expect(html).toMatch(/^<title>Room 1<\/title><meta name="build"/)
    expect(html).toContain('<main id="main"')
    expect(html).not.toMatch(/<html|<header|id="boot"/)
  })

  it('links the shell’s styles before its own, and the chunks of what hydrates at once', async () => {
    const html = await (await fetch(`${fixture.site.origin}/room/1`)).text()
    const linked = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)].map((match) => match[1])
    expect(linked.map((href) => href?.replace(/-[\w-]{7}\.css$/, ''))).toEqual(['/assets/_app', '/assets/_id_'])
    const preloads = [...html.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map((match) => match[1])
    for (const href of [...linked, ...preloads])
      expect((await fetch(fixture.site.origin + href)).status, href).toBe(200)
    expect(preloads.length).toBeGreaterThan(2)
    const highPriority = html.match(/<link rel="modulepreload"(?![^>]* fetchpriority="low")[^>]*>/g)
    expect(highPriority, 'scripts give way to what the first paint needs').toBeNull()
  })

  it('[SHELL-122] lets its styles alone block rendering', async () => {
    const page = await fixture.context.newPage()
    await page.goto(`${fixture.site.origin}/room/1`)
    const blocking = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        // TypeScript's DOM types do not have the status.
        .filter(
          (entry) =>
            (entry as PerformanceResourceTiming & { renderBlockingStatus: string }).renderBlockingStatus === 'blocking',
        )
        .map(({ name }) => new URL(name).pathname.replace(/-[\w-]{7}\./, '.')),
    )
    expect(blocking.sort()).toEqual(['/assets/_app.css', '/assets/_id_.css'])
    await page.close()
  })
})
