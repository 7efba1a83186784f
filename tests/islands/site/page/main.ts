import { hydrateIslands } from '../../../../src/client/core/hydrate.ts'
import { startNavigation } from '../../../../src/client/core/navigate.ts'

hydrateIslands(document)
startNavigation()
