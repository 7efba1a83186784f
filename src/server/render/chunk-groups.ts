/** What rolldown tells of a module while it divides them into chunks. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/**
 * Few chunks, each of which is needed whole: `main`, which every page starts with and which must stay free of React;
 * `react` with what mounts islands; `eager` with the islands that pages need at once and all that they use; `deferred`
 * with those that come by themselves after; `interaction` with those that come when they are touched; `lazy` with what
 * several things use that are loaded when they are opened; and a chunk for each of those.
 * Left to itself the bundler makes a chunk for every combination, and a chunk of its own for each island: a room had
 * 22 files and 5 KB more, because names cannot be shortened and repetitions not packed across chunks.
 * @param atOnce the islands that pages need at once (`on="load"`)
 * @param later those that come by themselves (`on="idle"`, `on="visible"`)
 * @param islands all of them: what is left is those that wait to be touched (`on="interaction"`)
 */
export function chunkGroups(main: string, atOnce: string[], later: string[], islands: string[]) {
  const reached = {
    main: isReachableFrom([main]),
    atOnce: isReachableFrom(atOnce),
    later: isReachableFrom(later),
    touched: isReachableFrom(islands),
  }
  // Styles go with the pages that link them, or a room would have those of the entrance.
  const isStyle = (id: string): boolean => /\.css(\?|$)/.test(id)
  const named = (name: string, isReached: (id: string, graph: ModuleGraph) => boolean) => ({
    debugName: name,
    name: (id: string, graph: ModuleGraph) => (!isStyle(id) && isReached(id, graph) ? name : null),
  })
  // A group takes along what its modules import, so what is needed at once has to be taken before.
  return [
    {
      name: 'react',
      test: /\/node_modules\/(react|react-dom|scheduler|@preact\/signals-core)\/|\/src\/client\/mount-island\.ts$/,
      priority: 6,
    },
    // The hooks for signals of one island, which no island uses that a page needs at once.
    { name: 'deferred', test: /\/node_modules\/@preact\/signals-react\//, priority: 6 },
    { ...named('main', reached.main), priority: 5 },
    { ...named('eager', reached.atOnce), priority: 4 },
    { ...named('deferred', reached.later), priority: 3 },
    { ...named('interaction', reached.touched), priority: 2 },
    { ...named('lazy', (id) => !id.endsWith('.island.tsx')), minShareCount: 2, priority: 1 },
  ]
}

/** Asks whether a module is one of the entries or imported by them, statically, at whatever remove. */
function isReachableFrom(entries: string[]): (id: string, graph: ModuleGraph) => boolean {
  let reached: Set<string> | null = null
  return (id, graph) => {
    reached ??= new Set(entries.flatMap((entry) => [...importClosure(entry, graph)]))
    return reached.has(id)
  }
}

/** A module and all that it imports statically. */
function importClosure(entry: string, graph: ModuleGraph): Set<string> {
  const reached = new Set<string>()
  const visit = (id: string): void => {
    if (reached.has(id)) return
    reached.add(id)
    graph.getModuleInfo(id)?.importedIds.forEach(visit)
  }
  visit(entry)
  return reached
}
