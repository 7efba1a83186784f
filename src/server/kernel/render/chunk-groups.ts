/** The part of rolldown's module graph that chunking uses. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/**
 * Groups modules into few chunks, in two tiers. Now: `main`, which every page loads and which must not contain React;
 * `react` with the code that mounts islands; `eager` with the islands of a page and their imports. Later: `deferred`, which a
 * room loads by itself when it is idle; at first use, a chunk for each `import()`, and `lazy` with what several of them share.
 * A small file costs a browser as much processor time as a large one, and names and repetitions compress worse across files
 * (decision 0074).
 * @param eager islands that hydrate at once, after that, or at a touch
 * @param deferred islands with `on="idle"` or `on="visible"`, and all `*.lazy.ts(x)` files
 */
export function chunkGroups(main: string, eager: string[], deferred: string[]) {
  const reached = {
    main: isReachableFrom([main]),
    eager: isReachableFrom(eager),
    deferred: isReachableFrom(deferred),
  }
  // Styles belong to the pages that link them; otherwise a room would load those of the landing page.
  const isStyle = (id: string): boolean => /\.css(\?|$)/.test(id)
  const named = (name: string, isReached: (id: string, graph: ModuleGraph) => boolean) => ({
    debugName: name,
    name: (id: string, graph: ModuleGraph) => (!isStyle(id) && isReached(id, graph) ? name : null),
  })
  // A group includes the imports of its modules, so the groups needed first have the highest priority.
  return [
    {
      name: 'react',
      test: /\/node_modules\/(react|react-dom|scheduler|@preact\/signals-core)\/|\/src\/client\/core\/islands\/(mount-island|replay-input)\.ts$/,
      priority: 5,
    },
    { ...named('main', reached.main), priority: 4 },
    { ...named('eager', reached.eager), priority: 3 },
    // With its styles: one that `lazy` held would load all of it.
    {
      debugName: 'deferred',
      name: (id: string, graph: ModuleGraph) => (reached.deferred(id, graph) ? 'deferred' : null),
      priority: 2,
    },
    { ...named('lazy', (id) => !id.endsWith('.island.tsx')), minShareCount: 2, priority: 1 },
  ]
}

/** A predicate: whether a module is one of the entries or a direct or indirect static import of one. */
function isReachableFrom(entries: string[]): (id: string, graph: ModuleGraph) => boolean {
  let reached: Set<string> | null = null
  return (id, graph) => {
    reached ??= new Set(entries.flatMap((entry) => [...importClosure(entry, graph)]))
    return reached.has(id)
  }
}

/** A module and its direct and indirect static imports. */
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
