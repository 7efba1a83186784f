/** What somebody has typed and not sent, by room, for as long as the tab lives. */
export function readDraft(roomId: number): string {
  return sessionStorage.getItem(draftKey(roomId)) ?? ''
}

export function saveDraft(roomId: number, text: string): void {
  if (text === '') sessionStorage.removeItem(draftKey(roomId))
  else sessionStorage.setItem(draftKey(roomId), text)
}

function draftKey(roomId: number): string {
  return `draft:${roomId}`
}
