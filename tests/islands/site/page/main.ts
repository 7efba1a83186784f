import { hydrateIslands } from '../../../../src/client/core/islands/hydrate.ts'
import { startNavigation } from '../../../../src/client/core/navigation/navigate.ts'

hydrateIslands(document)
startNavigation()
