import Bowser from 'bowser'

/** What a browser is called that does not say what it is, or says what we do not know. */
export const UNKNOWN_DEVICE = 'Bilinmeyen cihaz'
/** No real browser says more of itself; the rest is not looked at. */
const MAX_USER_AGENT_LENGTH = 512

/** Browsers as people call them. What is not in here is not shown: a name could be anything that somebody sends. */
const browserNames: ReadonlyMap<string, string> = new Map([
  ['Chrome', 'Chrome'],
  ['Chromium', 'Chromium'],
  ['Firefox', 'Firefox'],
  ['Focus', 'Firefox Focus'],
  ['Safari', 'Safari'],
  ['Microsoft Edge', 'Edge'],
  ['Opera', 'Opera'],
  ['Samsung Internet for Android', 'Samsung Internet'],
  ['Yandex Browser', 'Yandex'],
  ['Vivaldi', 'Vivaldi'],
  ['Brave', 'Brave'],
  ['DuckDuckGo', 'DuckDuckGo'],
  ['UC Browser', 'UC Browser'],
  ['Android Browser', 'Android tarayıcısı'],
  ['Google Search', 'Google uygulaması'],
])
const knownSystems: ReadonlySet<string> = new Set([
  'Windows',
  'macOS',
  'Linux',
  'Android',
  'iOS',
  'Chrome OS',
  'HarmonyOS',
  'Tizen',
])

/** A browser and its system in a few words, as 'Chrome, Windows', by what it says of itself. Of our own words alone. */
export function describeDevice(userAgent: string | undefined): string {
  if (!userAgent) return UNKNOWN_DEVICE
  const { browser, os } = Bowser.parse(userAgent.slice(0, MAX_USER_AGENT_LENGTH))
  const system = os.name !== undefined && knownSystems.has(os.name) ? os.name : undefined
  return (
    [browserNames.get(browser.name ?? ''), system].filter((name) => name !== undefined).join(', ') || UNKNOWN_DEVICE
  )
}
