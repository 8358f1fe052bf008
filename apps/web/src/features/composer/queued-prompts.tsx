"use client"

import { useTRPC } from "@docket/client/react"
import type { Turn } from "@docket/core/schema"
import { useMutation } from "@tanstack/react-query"
import { Clock, Undo2, X } from "lucide-react"
import { useState } from "react"
import { useMe } from "../../shell/me.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import { IconButton } from "../../ui/icon-button.tsx"
import { Initials, PersonName } from "../../ui/person.tsx"
import { usePeople } from "../../ui/use-people.ts"
import { queuedText } from "./queued-prompt.ts"
import styles from "./queued-prompts.module.css"

interface QueuedPromptsProps {
  turns: readonly Turn[]
  /** Queued prompts that were withdrawn while the page was open. */
  takenBack: readonly Turn[]
  /** Called with a prompt that this user withdrew. */
  onWithdraw?: (turn: Turn) => void
}

/** The queued prompts with their authors, and prompts that another user withdrew. */
export function QueuedPrompts({ turns, takenBack, onWithdraw }: QueuedPromptsProps) {
  const trpc = useTRPC()
  const { can } = useMe()
  const { me } = usePeople()
  const [dismissed, setDismissed] = useState<readonly string[]>([])
  const withdraw = useMutation(trpc.session.withdraw.mutationOptions({ onError: showProblem }))
  const byOthers = takenBack.filter(({ id, stoppedBy }) => stoppedBy?.person !== me && !dismissed.includes(id))
  if (turns.length + byOthers.length === 0) return null
  return (
    <ul className={styles.list} aria-label="Queued prompts">
      {turns.map((turn) => (
        <li key={turn.id} className={styles.chip}>
          <Clock size={12} aria-hidden />
          {turn.by === undefined || turn.by.person === me ? null : <PromptAuthor by={turn.by} />}
          <span className={styles.text}>{queuedText(turn)}</span>
          {can("prompt") ? (
            <IconButton
              label="Take back"
              size={20}
              disabled={withdraw.isPending}
              onClick={() =>
                void withdraw.mutateAsync({ turnID: turn.id }).then(
                  ({ withdrawn }) => withdrawn && onWithdraw?.(turn),
                  () => undefined,
                )
              }
            >
              <X size={12} />
            </IconButton>
          ) : null}
        </li>
      ))}
      {byOthers.map((turn) => (
        <li key={turn.id} className={styles.chip}>
          <Undo2 size={12} aria-hidden />
          <PromptAuthor by={turn.stoppedBy} />
          <span className={styles.text}>took back “{queuedText(turn)}”</span>
          <IconButton label="Dismiss" size={20} onClick={() => setDismissed([...dismissed, turn.id])}>
            <X size={12} />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

function PromptAuthor({ by }: { by: Turn["by"] }) {
  return (
    <>
      <Initials person={by} />
      <PersonName person={by} />
    </>
  )
}
