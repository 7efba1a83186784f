/** The unsent text of a conversation, for as long as the tab lives. */
export function readDraft(draftKey: string): string {
  return sessionStorage.getItem(draftKey) ?? ''
}

export function saveDraft(draftKey: string, text: string): void {
  if (text === '') sessionStorage.removeItem(draftKey)
  else sessionStorage.setItem(draftKey, text)
}
