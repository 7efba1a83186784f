import { hydrateIslands } from './hydrate.ts'
import { startNavigation } from './navigate.ts'

hydrateIslands(document)
startNavigation()
