import type { Locator } from 'playwright-core'
import type { LiveUser } from '../drivers/live-user.ts'
import type { ChatPage } from './chat-page.ts'

export const directWindow = ({ page }: ChatPage, username: string): Locator =>
  page.getByRole('dialog', { name: username })
export const composerOf = (window: Locator): Locator => window.getByRole('textbox', { name: 'Mesaj yaz' })
export const bubbleIn = (window: Locator, text: string, status: string): Locator =>
  window.locator(`.bubble-row[data-status=${status}]`).filter({ hasText: text })
export const listButton = ({ page }: ChatPage): Locator => page.getByRole('button', { name: /^Mesajlar(,|$)/ })

/** Opens the conversation with a user from the profile that a name in the thread opens. */
export async function openFromProfile(visitor: ChatPage, username: string): Promise<Locator> {
  await visitor.page.locator('m-island[data-name*=panel-host][data-live]').waitFor({ state: 'attached' })
  await visitor.messageLog.locator(`.group-person[data-person="${username}"]`).last().click()
  await visitor.page.getByRole('dialog', { name: 'Profil', exact: true }).getByRole('button', { name: 'Mesaj' }).click()
  const window = directWindow(visitor, username)
  await composerOf(window).waitFor()
  return window
}

export async function openFromList(visitor: ChatPage, username: string): Promise<Locator> {
  await listButton(visitor).click()
  await visitor.page.locator('.conversation-open').filter({ hasText: username }).click()
  const window = directWindow(visitor, username)
  await composerOf(window).waitFor()
  return window
}

/** Writes as a user without a browser. */
export async function sendDirectly(from: LiveUser, recipientUsername: string, content: string): Promise<void> {
  await from.request('sendDirectMessage', { recipientUsername, content })
}

/** Resolves when the user has received or sent a direct message with this content. */
export function waitForDirectMessage({ connection }: LiveUser, content: string): Promise<void> {
  return connection.waitFor(() => connection.receivedEvents('directMessage').some((one) => one.content === content))
}

export async function sendIn(window: Locator, text: string): Promise<void> {
  await composerOf(window).fill(text)
  await composerOf(window).press('Enter')
}
