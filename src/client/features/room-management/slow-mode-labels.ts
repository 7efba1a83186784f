/** The waits that the dialog offers, in seconds. */
const SLOW_MODE_CHOICES = [0, 5, 10, 30, 60, 300, 900]

/** A wait in words: 'Kapalı', '10 sn', '5 dk'. */
export function slowModeLabel(seconds: number): string {
  if (seconds === 0) return 'Kapalı'
  return seconds % 60 === 0 ? `${seconds / 60} dk` : `${seconds} sn`
}

/** The choices, with the present one among them. */
export function slowModeOptions(present: number): { value: string; label: string }[] {
  const seconds = [...new Set([...SLOW_MODE_CHOICES, present])].sort((a, b) => a - b)
  return seconds.map((each) => ({ value: String(each), label: slowModeLabel(each) }))
}
