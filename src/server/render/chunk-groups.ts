/** What rolldown tells of a module while it divides them into chunks. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/**
 * Few chunks, each of which is needed whole: `main`, which every page starts with and which must stay free of React;
 * `react` with what mounts islands; `shared` with whatever several islands use; and a chunk for each island.
 * Left to itself the bundler makes a chunk for every combination: a room had 22 files and 3 KB more.
 */
export function chunkGroups(main: string) {
  let reached: Set<string> | null = null
  const isInMain = (id: string, graph: ModuleGraph): boolean => {
    reached ??= reachedFrom(main, graph)
    return reached.has(id)
  }
  return [
    { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\/|\/src\/client\/mount\.ts$/, priority: 3 },
    { debugName: 'main', name: (id: string, graph: ModuleGraph) => (isInMain(id, graph) ? 'main' : null), priority: 2 },
    { name: 'shared', test: /(?<!\.island\.tsx)$/, minShareCount: 2, priority: 1 },
  ]
}

/** A module and all that it imports statically. */
function reachedFrom(entry: string, graph: ModuleGraph): Set<string> {
  const reached = new Set<string>()
  const visit = (id: string): void => {
    if (reached.has(id)) return
    reached.add(id)
    graph.getModuleInfo(id)?.importedIds.forEach(visit)
  }
  visit(entry)
  return reached
}
