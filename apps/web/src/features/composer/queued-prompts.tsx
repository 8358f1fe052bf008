"use client"

import { useTRPC } from "@docket/client/react"
import type { Turn } from "@docket/core/schema"
import { useMutation } from "@tanstack/react-query"
import { Clock, X } from "lucide-react"
import { IconButton } from "../../ui/icon-button.tsx"
import { queuedText } from "./queued-prompt.ts"
import styles from "./queued-prompts.module.css"

/** Prompts that wait for the running one. One that is taken back goes to `onWithdraw`. */
export function QueuedPrompts({ turns, onWithdraw }: { turns: Turn[]; onWithdraw: (turn: Turn) => void }) {
  const trpc = useTRPC()
  const withdraw = useMutation(trpc.session.withdraw.mutationOptions())
  if (turns.length === 0) return null
  return (
    <ul className={styles.list} aria-label="Queued prompts">
      {turns.map((turn) => (
        <li key={turn.id} className={styles.chip}>
          <Clock size={12} aria-hidden />
          <span className={styles.text}>{queuedText(turn)}</span>
          <IconButton
            label="Take back"
            size={20}
            disabled={withdraw.isPending}
            onClick={async () => {
              const { withdrawn } = await withdraw.mutateAsync({ turnID: turn.id })
              if (withdrawn) onWithdraw(turn)
            }}
          >
            <X size={12} />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
