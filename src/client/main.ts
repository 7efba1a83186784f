import { startSession } from './accounts/start-session.ts'
import { hydrateIslands } from './hydrate.ts'
import { startNavigation } from './navigate.ts'

startSession()
hydrateIslands(document)
startNavigation()
