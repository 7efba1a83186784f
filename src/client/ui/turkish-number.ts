const format = new Intl.NumberFormat('tr-TR', { maximumFractionDigits: 0 })

/** A count with the Turkish separator of thousands: `1.284`. */
export function countText(count: number): string {
  return format.format(count)
}
