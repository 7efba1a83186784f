import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useCloseOnBack } from '../../navigation/use-close-on-back.ts'
import { showFormErrors } from '../forms/form-errors.ts'
import { Modal } from './modal.tsx'
import '../forms/field.css'
import './wizard.lazy.css'

export interface WizardStep {
  /** What the step asks, or says. */
  title: string
  content: ReactNode
  /** The label of the button; 'Devam et' without one. */
  nextLabel?: ReactNode
  /** Why the step cannot be left, in Turkish, beside the errors of its fields; null if it can. */
  check?: () => string | null
  /** False leaves the button out. */
  hasNext?: boolean
}

interface WizardProps {
  title: string
  steps: readonly WizardStep[]
  /** Reports why a step cannot be left, in a toast (specification 2, point 8). */
  onProblem: (text: string) => void
  /** Sends the last step and reports the result. Returns whether it succeeded: then the wizard closes. */
  submit: () => Promise<boolean>
  onClose: () => void
}

/**
 * A dialog of numbered steps (specification 2, points 2 and 4). The arrow, Esc and the browser's Back go one step back, and
 * close it on the first one; a click outside closes it there only. Closing forgets what was entered.
 */
export function Wizard({ title, steps, onProblem, submit, onClose }: WizardProps): ReactNode {
  const form = useRef<HTMLFormElement>(null)
  const { index, isBusy, next, back } = useWizard({ form, steps, onProblem, submit, onClose })
  const step = steps[index]
  useStepFocus(form, index)
  if (!step) return null
  return (
    <Modal title={title} dismissIcon="back" onPressOutside={index === 0 ? onClose : () => {}} onClose={back}>
      {steps.slice(0, index).map(({ title: left }) => (
        <EarlierStep key={left} back={back} />
      ))}
      <form ref={form} className="stack gap-5" noValidate onSubmit={next}>
        <StepNumbers index={index} length={steps.length} />
        <fieldset key={index} className="wizard-step">
          <legend tabIndex={-1}>{step.title}</legend>
          {step.content}
        </fieldset>
        {step.hasNext !== false && (
          <button type="submit" className="button button--large button--accent" aria-disabled={isBusy}>
            {isBusy && <span className="spinner" />}
            {step.nextLabel ?? 'Devam et'}
          </button>
        )}
      </form>
    </Modal>
  )
}

interface WizardOptions extends Omit<WizardProps, 'title'> {
  form: RefObject<HTMLFormElement | null>
}

function useWizard({ form, steps, onProblem, submit, onClose }: WizardOptions) {
  const [index, setIndex] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    setBusy(true)
    if (await submit()) onClose()
    else setBusy(false)
  }
  const next = (event: FormEvent): void => {
    event.preventDefault()
    if (isBusy || !form.current || steps[index]?.hasNext === false) return
    const areFieldsRight = showFormErrors(form.current)
    const found = steps[index]?.check?.() ?? null
    if (found !== null) onProblem(found)
    if (found !== null && areFieldsRight) form.current.querySelector('input')?.focus()
    if (found !== null || !areFieldsRight) return
    if (index + 1 < steps.length) setIndex(index + 1)
    else void send()
  }
  const back = (): void => {
    if (index === 0) onClose()
    else if (!isBusy) setIndex(index - 1)
  }
  return { index, isBusy, next, back }
}

/** Back leads to it. */
function EarlierStep({ back }: { back: () => void }): ReactNode {
  useCloseOnBack(back)
  return null
}

/** Moves the focus to the step's field, or to its title, which screen readers then read. */
function useStepFocus(form: RefObject<HTMLFormElement | null>, index: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step has other fields
  useEffect(() => {
    const field = form.current?.querySelector<HTMLElement>('input:checked') ?? form.current?.querySelector('input')
    const target = field ?? form.current?.querySelector<HTMLElement>('.wizard-step > legend')
    target?.focus()
  }, [form, index])
}

function StepNumbers({ index, length }: { index: number; length: number }): ReactNode {
  return (
    <ol className="wizard-numbers" aria-label={`Adım ${index + 1} / ${length}`}>
      {Array.from({ length }, (_, step) => (
        <li key={step} data-done={step < index} aria-current={step === index ? 'step' : undefined}>
          {step + 1}
        </li>
      ))}
    </ol>
  )
}
