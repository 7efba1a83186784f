/** What somebody has typed and not sent, by room, for as long as the tab lives. */
export function readDraft(roomId: number): string {
  return sessionStorage.getItem(nameOf(roomId)) ?? ''
}

export function keepDraft(roomId: number, text: string): void {
  if (text === '') sessionStorage.removeItem(nameOf(roomId))
  else sessionStorage.setItem(nameOf(roomId), text)
}

function nameOf(roomId: number): string {
  return `draft:${roomId}`
}
