import { launch } from 'chrome-launcher'
import lighthouse, { desktopConfig } from 'lighthouse'

/**
 * Audits one page in a new Chromium: `node audit.js '{"url":…,"device":"phone","chromePath":…,"cookie":…}'`. Prints JSON:
 * the scores from 0 to 100 by category, and the audits below their full score.
 */
const { url, device, chromePath, cookie } = JSON.parse(process.argv[2] ?? '{}')
const chrome = await launch({ chromePath, chromeFlags: ['--headless', '--no-sandbox', '--disable-gpu'] })
try {
  const result = await lighthouse(
    url,
    {
      port: chrome.port,
      logLevel: 'error',
      onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
      extraHeaders: cookie ? { Cookie: cookie } : {},
    },
    device === 'desktop' ? desktopConfig : undefined,
  )
  if (!result) throw new Error('Lighthouse made no report.')
  const { categories, audits, finalDisplayedUrl } = result.lhr
  const findings = Object.values(categories).flatMap(({ id, auditRefs }) =>
    auditRefs
      .filter(({ weight, id: audit }) => weight > 0 && (audits[audit]?.score ?? 1) < 0.9)
      .map(({ id: audit }) => `${id}: ${audits[audit]?.title} ${audits[audit]?.displayValue ?? ''}`.trim()),
  )
  const scores = Object.fromEntries(
    Object.values(categories).map(({ id, score }) => [id, Math.round((score ?? 0) * 100)]),
  )
  console.log(JSON.stringify({ url: finalDisplayedUrl, scores, findings }))
} finally {
  chrome.kill()
}
