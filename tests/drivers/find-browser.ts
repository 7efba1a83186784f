import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Chromium without the parts for windows takes two thirds of the processor time of the whole one. */
const HEADLESS_SHELL = 'chromium-headless-shell'
const EXECUTABLE_NAMES = [HEADLESS_SHELL, 'chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser']
const MAC_EXECUTABLES = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']

const FIREFOX_NAMES = ['firefox', 'firefox-esr']
const MAC_FIREFOX = ['/Applications/Firefox.app/Contents/MacOS/firefox']

/** The Chromium to drive: `CHROMIUM` where it is set, else one that is installed; null when there is none. */
export function findBrowser(): string | null {
  return process.env.CHROMIUM || findExecutable(EXECUTABLE_NAMES, MAC_EXECUTABLES)
}

/** The Firefox to drive: `FIREFOX` where it is set, else one that is installed; null when there is none. */
export function findFirefox(): string | null {
  return process.env.FIREFOX || findExecutable(FIREFOX_NAMES, MAC_FIREFOX)
}

/** Like `findBrowser`, but installs the headless shell as root on Debian. Throws when there is no Chromium. */
export function ensureBrowser(): string {
  if (!process.env.CHROMIUM && !findExecutable([HEADLESS_SHELL], [])) installPackage(HEADLESS_SHELL)
  const found = findBrowser() ?? (installPackage('chromium') && findBrowser()) // older releases have no shell
  if (found) return found
  throw new Error(
    'The journeys need a Chromium. Install one (Debian: apt-get install chromium), or name it: CHROMIUM=/path npm test',
  )
}

/** Like `findFirefox`, but installs it as root on Debian. */
export function ensureFirefox(): string | null {
  return findFirefox() ?? (installPackage('firefox-esr') ? findFirefox() : null)
}

/** Returns whether apt-get could install it. */
function installPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  console.log(`No ${name} found: installing it with apt-get.`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const quietly: ExecFileSyncOptions = { env, stdio: ['ignore', 'ignore', 'inherit'] }
  try {
    execFileSync('apt-get', ['update'], quietly)
    execFileSync('apt-get', ['install', '-y', name], quietly)
    return true
  } catch {
    return false
  }
}

/** The first of these programs in the folders of `PATH`, else the first of `others` that is there. */
function findExecutable(names: readonly string[], others: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...candidates, ...others].find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
