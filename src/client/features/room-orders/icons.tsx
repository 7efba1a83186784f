import { icon } from '../../core/ui/composer-icons.tsx'

export const NewRoomIcon = icon(<path d="M12 5v14M5 12h14" />)
