import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { foldMessage } from '../../src/shared/room-chat/rules.ts'
import { makeRootAdmin, type Site } from '../site.ts'
import { journey } from './journey.ts'

/** Each would set `window.hit`, or open something, if any part of a page took it for markup or code. */
const corpus = [
  '<script>window.hit = 1</script>',
  '</script><script>window.hit = 1</script>',
  '"><img src=x onerror="window.hit=1">',
  "'><svg onload='window.hit=1'>",
  '<svg><script href="data:text/javascript,window.hit=1"></script></svg>',
  '<img src=x onerror=window.hit=1//',
  '<iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
  '<a href="javascript:window.hit=1">tıkla</a>',
  'javascript:window.hit=1',
  '</textarea></title></style><body onpageshow=window.hit=1>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=window.hit=1>',
  '<!--<img src="--><img src=x onerror=window.hit=1//">',
  '<template><img src=x onerror=window.hit=1></template>',
  '<m-island data-name="/x.island.tsx#X" data-on="load"></m-island>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: somebody else's template language is meant
  '${window.hit=1}{{constructor.constructor("window.hit=1")()}}',
  '&lt;img src=x onerror=window.hit=1&gt; &#60;script&#62;',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<style>*{display:none}</style><link rel=stylesheet href="data:text/css,*{display:none}">',
]

/** No script ran, nothing was taken for markup, and the page is still ours. */
async function isUnharmed(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    hit: 'hit' in window,
    handlers: [...document.querySelectorAll('*')].flatMap((element) =>
      element.getAttributeNames().filter((name) => name.startsWith('on')),
    ),
    planted: document.querySelectorAll('iframe, base, math, meta[http-equiv=refresh], [href^="javascript:"]').length,
  }))
  expect(found).toEqual({ hit: false, handlers: [], planted: 0 })
}

function change(site: Site, sql: string, ...values: string[]): void {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { timeout: 5_000 })
  db.prepare(sql).run(...values)
  db.close()
}

describe('markup that somebody sends', () => {
  journey(
    '[CHAT-19] as a message is shown as it was typed, live and on a page loaded anew',
    async ({ site, desktop, phone }) => {
      const writer = await (await desktop()).signIn('Saldırgan', await makeRootAdmin(site, 'Saldırgan'))
      const reader = await (await phone()).enterAsGuest('Kurban')
      for (const text of corpus) await writer.say(text)
      const shown = corpus.map((text) => foldMessage(text))
      for (const { page, log, thread } of [writer, reader].map((visitor) => ({
        ...visitor,
        thread: () => visitor.thread(),
      }))) {
        await log.getByText(shown.at(-1) ?? '', { exact: true }).waitFor()
        expect(await thread()).toEqual(shown)
        await isUnharmed(page)
        await page.reload()
        expect(await thread()).toEqual(shown)
        await isUnharmed(page)
      }
    },
  )

  journey('[CHAT-19] as a name of a person or a room does nothing, wherever it is shown', async ({ site, desktop }) => {
    const visitor = await (await desktop()).signIn('Kılıklı', await makeRootAdmin(site, 'Kılıklı'))
    await visitor.say('adıma bak')
    await visitor.reads('Adıma bak')
    // No way in takes such names, so they are put where the pages read them from.
    for (const [index, text] of corpus.entries()) {
      change(site, 'update user set username = ? where foldedName = ?', `${text}${index}`, 'kilikli')
      change(site, 'update room set name = ?, greetingMessage = ? where id = 1', text, text)
      await visitor.page.goto('/room/1')
      await visitor.page.getByRole('heading', { name: `#${text}` }).waitFor()
      await isUnharmed(visitor.page)
      await visitor.page.goto('/')
      await visitor.page.getByText(`${text}${index} olarak devam et`).waitFor()
      await isUnharmed(visitor.page)
    }
  })
})

describe('the Content-Security-Policy', () => {
  journey('[HTTP-04] has a nonce of its own for every page and runs no other inline script', async ({ desktop }) => {
    const visitor = await desktop()
    visitor.errors.expect(/Content Security Policy/)
    const policies = []
    for (const path of ['/', '/', '/olmayan']) {
      const response = await visitor.page.goto(path)
      policies.push(response?.headers()['content-security-policy'] ?? '')
    }
    visitor.errors.expect(/status of 404/)
    const nonces = policies.map((policy) => /script-src [^;]*'nonce-([^']+)'/.exec(policy)?.[1])
    expect(new Set(nonces).size).toBe(3)
    for (const policy of policies) expect(policy).not.toMatch(/unsafe-(?:inline|eval)|\*/)

    await visitor.page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.hit = 1'
      document.body.append(script)
      const image = document.createElement('img')
      image.setAttribute('onerror', 'window.hit = 1')
      image.src = 'data:,'
      document.body.append(image)
    })
    await visitor.page.locator('img[onerror]').waitFor({ state: 'attached' })
    expect(await visitor.page.evaluate(() => 'hit' in window)).toBe(false)
  })
})
