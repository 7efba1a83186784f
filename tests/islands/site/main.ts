import { hydrateIslands } from '../../../src/client/hydrate.ts'
import { startNavigation } from '../../../src/client/navigate.ts'

hydrateIslands(document)
startNavigation()
