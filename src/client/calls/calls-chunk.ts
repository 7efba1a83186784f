import './call-window.tsx'

/** The code that loads with the first call of a tab. */
export { startCall } from './call-actions.ts'
