import Bowser from 'bowser'

/** Shown when the User-Agent is absent or unknown. */
export const UNKNOWN_DEVICE = 'Bilinmeyen cihaz'
/** Longer than the User-Agent of any real browser; the rest is not parsed. */
const MAX_USER_AGENT_LENGTH = 512

/** Display names by Bowser's names. Only these are shown, because a client can send any text. */
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

/** The browser and system of a User-Agent, such as 'Chrome, Windows'. Contains only names from the lists above. */
export function describeDevice(userAgent: string | undefined): string {
  if (!userAgent) return UNKNOWN_DEVICE
  const { browser, os } = Bowser.parse(userAgent.slice(0, MAX_USER_AGENT_LENGTH))
  const system = os.name !== undefined && knownSystems.has(os.name) ? os.name : undefined
  return (
    [browserNames.get(browser.name ?? ''), system].filter((name) => name !== undefined).join(', ') || UNKNOWN_DEVICE
  )
}
