/** Whether the part of the present history entry has ended, and the entry is not left yet. */
let isEntryFree = false

/**
 * Adds a history entry that Back leaves, and calls `close` then. Answers a function that removes the entry.
 * @param name unique among the parts that are open at once
 */
export function closeOnBack(name: string, close: () => void): () => void {
  const isHere = (): boolean => history.state?.openPart === name
  if (isEntryFree) history.replaceState({ openPart: name }, '')
  // Parts over this one add entries of their own, which Back leaves first.
  else if (!isHere()) history.pushState({ openPart: name }, '')
  isEntryFree = false
  const onBack = (): void => {
    if (!isHere()) close()
  }
  addEventListener('popstate', onBack)
  return () => {
    removeEventListener('popstate', onBack)
    if (isHere()) leaveEntry()
  }
}

/** Browsers go back later, and would leave the entry of a part that opens in place of this one: it takes this entry over. */
function leaveEntry(): void {
  isEntryFree = true
  queueMicrotask(() => {
    if (isEntryFree) history.back()
    isEntryFree = false
  })
}
