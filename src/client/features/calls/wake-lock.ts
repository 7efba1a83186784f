/**
 * Keeps the screen on until the returned function is called. The browser releases the lock of a hidden page, so it is taken
 * again when the page is shown; one that is refused, as with an empty battery, is done without.
 */
export function keepScreenOn(): () => void {
  const held = new AbortController()
  let lock: WakeLockSentinel | null = null
  const request = async (): Promise<void> => {
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
    const taken = await navigator.wakeLock.request('screen').catch(() => null)
    if (held.signal.aborted) void taken?.release()
    else lock = taken
  }
  void request()
  document.addEventListener('visibilitychange', () => void request(), { signal: held.signal })
  return () => {
    held.abort()
    void lock?.release()
  }
}
