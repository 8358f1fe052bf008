"use client"

import type { Turn } from "@docket/core/schema"
import { Undo2, X } from "lucide-react"
import { useState } from "react"
import { IconButton } from "../../ui/icon-button.tsx"
import { usePeople } from "../../ui/use-people.ts"
import { PromptAuthor } from "./prompt-author.tsx"
import { queuedText } from "./queued-prompt.ts"
import { QueuedPromptChip } from "./queued-prompt-chip.tsx"
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
  const { me } = usePeople()
  const [dismissed, setDismissed] = useState<readonly string[]>([])
  const byOthers = takenBack.filter(({ id, stoppedBy }) => stoppedBy?.person !== me && !dismissed.includes(id))
  if (turns.length + byOthers.length === 0) return null
  return (
    <ul className={styles.list} aria-label="Queued prompts">
      {turns.map((turn, index) => (
        <QueuedPromptChip key={turn.id} turn={turn} earlier={turns[index - 1] ?? null} onWithdraw={onWithdraw} />
      ))}
      {byOthers.map((turn) => (
        <li key={turn.id} className={styles.chip}>
          <Undo2 size={12} aria-hidden />
          <PromptAuthor by={turn.stoppedBy} />
          <span className={styles.text}>took back “{queuedText(turn)}”</span>
          <IconButton
            label="Dismiss"
            className={styles.action ?? ""}
            onClick={() => setDismissed([...dismissed, turn.id])}
          >
            <X size={12} />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
