import { type Browser, firefox } from 'playwright-core'

/** Playwright's own half of a browser: it has no public access to it. */
interface BidiBrowser {
  _browserSession: { send: (method: string, params: object) => Promise<unknown> }
}
interface ConnectedType {
  _connection: { toImpl(browser: Browser): BidiBrowser }
}

/** Playwright sends it to every page, and stock Firefox does not know it yet: prefers-color-scheme stays that of the machine. */
const UNKNOWN_COMMAND = 'emulation.setMediaFeaturesOverride'

/** A microphone that hums and a camera that changes colours, without a prompt. */
const FAKE_DEVICES = { 'media.navigator.streams.fake': true, 'media.navigator.permission.disabled': true }

/** A Firefox as people have it, without a window, driven over WebDriver BiDi. */
export async function launchFirefox(executablePath: string): Promise<Browser> {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath,
    headless: true,
    firefoxUserPrefs: FAKE_DEVICES,
  })
  const { _browserSession } = (firefox as unknown as ConnectedType)._connection.toImpl(browser) // see BidiBrowser
  const sessions = Object.getPrototypeOf(_browserSession) as BidiBrowser['_browserSession'] // of all its pages
  const { send } = sessions
  sessions.send = function (method, params) {
    return method === UNKNOWN_COMMAND ? Promise.resolve({}) : send.call(this, method, params)
  }
  return browser
}
