/** The rest is for the database, files, links to other regions and the relay of calls. */
const SHARE_OF_DESCRIPTORS = 0.8

/**
 * The most sockets that the server accepts, so that the process never runs out of descriptors: beyond it new ones are
 * refused, and those that are open keep working. Infinite when the process has no limit.
 */
export function maxConnectionsOf(descriptors: number | string): number {
  return typeof descriptors === 'number' ? Math.floor(descriptors * SHARE_OF_DESCRIPTORS) : Number.POSITIVE_INFINITY
}

/** How many files and sockets this process may have open: a number, or `unlimited`. */
export function descriptorLimit(): number | string {
  const report = process.report.getReport() as { userLimits?: { open_files: { soft: number | string } } } // as Node documents its report
  return report.userLimits?.open_files.soft ?? 'unlimited'
}
