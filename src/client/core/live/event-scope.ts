let isRunning = false

/** Runs the handler of an event. */
export function runEventHandler(handler: () => void): void {
  const isNested = isRunning
  isRunning = true
  try {
    handler()
  } finally {
    isRunning = isNested
  }
}

/** Whether the handler of an event is running: the user has not asked for what it starts. */
export function isInEventHandler(): boolean {
  return isRunning
}
