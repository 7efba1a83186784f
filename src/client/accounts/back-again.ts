import { leaveFreely } from '../shell/unload.ts'
import { session } from './session.ts'

// A page that the back button brings out as it was has heard of nothing meanwhile: whoever has logged out since, here or
// in another tab, is not shown it.
window.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted || session.token() !== null) return
  leaveFreely()
  location.replace('/')
})
