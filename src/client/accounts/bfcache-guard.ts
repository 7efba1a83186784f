import { allowUnload } from '../unload-guard.ts'
import { session } from './session.ts'

// A page that the back button brings out as it was has heard of nothing meanwhile: where its person has logged out since,
// here or in another tab, it is not shown to whoever is there now.
window.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted || session.hasSameUser()) return
  allowUnload()
  location.replace('/')
})
