import type { ReactNode } from 'react'
import type { PostSort } from '../../../../shared/posts/post.ts'
import { ChevronIcon } from '../../../core/ui/lazy-icons.tsx'
import type { MenuItem } from '../../../core/ui/menu/menu.tsx'
import { MenuButton } from '../../../core/ui/menu/menu-button.tsx'
import { SORT_LABELS } from '../texts.ts'

interface SortButtonProps {
  /** The accessible name of the menu. */
  label: string
  sort: PostSort
  onSort: (sort: PostSort) => void
  /** Shown above the orders. */
  actions?: readonly MenuItem[]
  /** The text of the button; the present order by default. */
  text?: string
  /** Shown beside the button. */
  children?: ReactNode
}

/** The order of a list of posts, in a menu that may have further entries. */
export function SortButton({ label, sort, onSort, actions = [], text, children }: SortButtonProps): ReactNode {
  const orders = SORT_LABELS.map(([value, name]) => ({
    label: name,
    isChecked: value === sort,
    run: () => onSort(value),
  }))
  const present = SORT_LABELS.find(([value]) => value === sort)
  return (
    <div className="posts-head">
      {children ?? <p className="soft small">Sıralama: {present?.[1]}</p>}
      <MenuButton label={label} entries={[...actions, ...orders]} className="button">
        {text ?? (
          <span>
            <span className="visually-hidden">Sıralama: </span>
            {present?.[1]}
          </span>
        )}
        <ChevronIcon size={18} />
      </MenuButton>
    </div>
  )
}
