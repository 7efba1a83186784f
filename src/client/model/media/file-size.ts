const KILOBYTE = 1024
const MEGABYTE = 1024 * KILOBYTE

/** A size in Turkish: `742 KB`, `1,2 MB`; at least 1 KB. */
export function fileSize(bytes: number): string {
  if (bytes < MEGABYTE) return `${Math.max(1, Math.round(bytes / KILOBYTE))} KB`
  return `${(bytes / MEGABYTE).toFixed(1).replace('.', ',')} MB`
}
