/** A duration or position as m:ss (specification 1, point 9). A begun second is not counted. */
export function audioTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
