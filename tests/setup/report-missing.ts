/** Fails in CI, where nothing may be skipped in silence; elsewhere prints what is skipped, and why. */
export function reportMissing(part: string, why: string): void {
  if (process.env.CI) throw new Error(`${part} cannot run: ${why}`)
  console.log(`${part} are skipped: ${why}`)
}
