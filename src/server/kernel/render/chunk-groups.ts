/** The part of rolldown's module graph that chunking uses. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/**
 * Groups modules into few chunks: `main`, which every page loads and which must not contain React; `react` with the code
 * that mounts islands; `eager`, `after-load`, `deferred` and `interaction` with the islands of these triggers and their
 * imports; `lazy` with modules shared by several dynamic imports, each of which has its own chunk; `parts` with those that
 * `*.lazy.ts(x)` files share, which a room loads by itself: in `lazy` they would bring along what a click loads.
 * The bundler's default, a chunk per island and per combination, gave a room 22 files and 5 KB more, because names and
 * repetitions compress worse across chunks.
 * @param eagerIslands islands with `on="load"`
 * @param afterLoadIslands islands with `on="afterLoad"`
 * @param deferredIslands islands with `on="idle"` or `on="visible"`
 * @param islands all islands; the others have `on="interaction"`
 * @param parts all `*.lazy.ts(x)` files
 */
export function chunkGroups(
  main: string,
  eagerIslands: string[],
  afterLoadIslands: string[],
  deferredIslands: string[],
  islands: string[],
  parts: string[],
) {
  const loadedByThemselves = new Set([...eagerIslands, ...afterLoadIslands, ...deferredIslands])
  const reached = {
    main: isReachableFrom([main]),
    eager: isReachableFrom(eagerIslands),
    afterLoad: isReachableFrom(afterLoadIslands),
    deferred: isReachableFrom(deferredIslands),
    interaction: isReachableFrom(islands.filter((island) => !loadedByThemselves.has(island))),
    parts: isReachableFrom(parts),
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
      priority: 8,
    },
    // Signal hooks inside an island; no eager island uses them.
    { name: 'deferred', test: /\/node_modules\/@preact\/signals-react\//, priority: 8 },
    { ...named('main', reached.main), priority: 7 },
    { ...named('eager', reached.eager), priority: 6 },
    // Before what only rooms load: a touch of the landing page's form would load that too.
    { ...named('interaction', reached.interaction), priority: 5 },
    { ...named('after-load', reached.afterLoad), priority: 4 },
    { ...named('deferred', reached.deferred), priority: 3 },
    // With their styles: one that `lazy` held would load all of it.
    {
      debugName: 'parts',
      name: (id: string, graph: ModuleGraph) => (reached.parts(id, graph) ? 'parts' : null),
      minShareCount: 2,
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
