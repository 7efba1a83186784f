import { type ReactNode, useState } from 'react'
import type { HeldText } from '../../../shared/text-filters/protocol.ts'
import { filterTexts } from '../../../shared/text-filters/screen-texts.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { QuotedText } from '../../core/ui/quoted-text.tsx'
import { decideHeldText, heldTextList, readHeldText } from './filter-lists.ts'
import { FilteredTextCard } from './filtered-text-card.tsx'

/** The texts that wait for review, the earliest first. */
export function HeldTextsPanel(): ReactNode {
  const list = useSignalValue(heldTextList.list, null)
  return (
    <PagedList<HeldText, number>
      list={list}
      load={heldTextList.load}
      empty={filterTexts.noHeld}
      row={(held) => <HeldTextCard key={held.id} held={held} />}
      isEndless
    />
  )
}

function HeldTextCard({ held }: { held: HeldText }): ReactNode {
  const { id, user, place, pattern, word, at, hasFile } = held
  const [isBusy, setBusy] = useState(false)
  const decide = async (decision: 'release' | 'discard'): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    if (!(await decideHeldText(id, decision))) setBusy(false)
  }
  return (
    <FilteredTextCard
      user={user}
      place={place}
      at={at}
      text={<HeldContent held={held} />}
      note={
        <>
          Filtredeki söz: <bdi>{pattern}</bdi> (<bdi>{word}</bdi>){hasFile && ` · ${filterTexts.withFile}`}
        </>
      }
      actions={
        <>
          <button
            type="button"
            className="button button--danger"
            aria-disabled={isBusy}
            onClick={() => void decide('discard')}
          >
            {filterTexts.discard}
          </button>
          <button type="button" className="button" aria-disabled={isBusy} onClick={() => void decide('release')}>
            {filterTexts.release}
          </button>
        </>
      }
    />
  )
}

/** The text; that of a direct message is loaded by a click, which the action log records. */
function HeldContent({ held }: { held: HeldText }): ReactNode {
  const [text, setText] = useState(held.text)
  if (text !== null) return <QuotedText text={text} />
  return (
    <div className="toolbar">
      <button type="button" className="button" onClick={async () => setText(await readHeldText(held.id))}>
        {filterTexts.show}
      </button>
      <span className="soft small">{filterTexts.showHint}</span>
    </div>
  )
}
