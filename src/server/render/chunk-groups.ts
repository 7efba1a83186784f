/** What rolldown tells of a module while it divides them into chunks. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/**
 * Few chunks, each of which is needed whole: `main`, which every page starts with and which must stay free of React;
 * `react` with what mounts islands; `shared` with whatever several islands use, `later` with what only those use that
 * do not come at once; and a chunk for each island and each thing that is loaded when it is opened.
 * Left to itself the bundler makes a chunk for every combination: a room had 22 files and 3 KB more.
 * @param atOnce the islands that pages need at once (`on="load"`)
 */
export function chunkGroups(main: string, atOnce: string[]) {
  const isInMain = reachedFrom([main])
  const isAtOnce = reachedFrom(atOnce)
  // Islands are chunks of their own; styles go with the pages that link them, or a room would have those of the entrance.
  const isApart = (id: string): boolean => /\.island\.tsx$|\.css(\?|$)/.test(id)
  const shared = (id: string, graph: ModuleGraph) => (!isApart(id) && isAtOnce(id, graph) ? 'shared' : null)
  // A group takes along what its modules import, so what is needed at once has to be taken before.
  return [
    { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\/|\/src\/client\/mount\.ts$/, priority: 4 },
    { debugName: 'main', name: (id: string, graph: ModuleGraph) => (isInMain(id, graph) ? 'main' : null), priority: 3 },
    { debugName: 'shared', name: shared, minShareCount: 2, priority: 2 },
    { debugName: 'later', name: (id: string) => (isApart(id) ? null : 'later'), minShareCount: 2, priority: 1 },
  ]
}

/** Asks whether a module is one of the entries or imported by them, statically, at whatever remove. */
function reachedFrom(entries: string[]): (id: string, graph: ModuleGraph) => boolean {
  let reached: Set<string> | null = null
  return (id, graph) => {
    reached ??= new Set(entries.flatMap((entry) => [...withImports(entry, graph)]))
    return reached.has(id)
  }
}

/** A module and all that it imports statically. */
function withImports(entry: string, graph: ModuleGraph): Set<string> {
  const reached = new Set<string>()
  const visit = (id: string): void => {
    if (reached.has(id)) return
    reached.add(id)
    graph.getModuleInfo(id)?.importedIds.forEach(visit)
  }
  visit(entry)
  return reached
}
