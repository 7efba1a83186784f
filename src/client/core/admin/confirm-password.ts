import { openOverlay, openOverlays } from '../shell/overlays/overlays.ts'

let pending: Promise<boolean> | null = null

/**
 * Asks a root admin for the password. Resolves when there is an admin token (true) or the dialog was closed; calls at the
 * same time share one dialog.
 */
export function confirmPassword(): Promise<boolean> {
  pending ??= openDialog().finally(() => {
    pending = null
  })
  return pending
}

async function openDialog(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const input = { onEnd: resolve }
  await openOverlay('confirmPassword', input)
  // A dialog that did not load is reported by a toast.
  return openOverlays.peek().some((overlay) => overlay.input === input) ? promise : false
}
