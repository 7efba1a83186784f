/**
 * Adds a history entry that Back leaves, and calls `close` then. Answers a function that removes the entry.
 * @param name unique among the parts that are open at once
 */
export function closeOnBack(name: string, close: () => void): () => void {
  const isHere = (): boolean => history.state?.openPart === name
  // Parts over this one add entries of their own, which Back leaves first.
  if (!isHere()) history.pushState({ openPart: name }, '')
  const onBack = (): void => {
    if (!isHere()) close()
  }
  addEventListener('popstate', onBack)
  return () => {
    removeEventListener('popstate', onBack)
    if (isHere()) history.back()
  }
}
