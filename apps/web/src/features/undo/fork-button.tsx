"use client"

import { GitFork } from "lucide-react"
import { AsideButton } from "./aside-button.tsx"

/** At the end of a turn, shown like the undo beside it. */
export function ForkButton({ onFork }: { onFork: () => void }) {
  return (
    <AsideButton label="Fork from before this turn" inLine onClick={onFork}>
      <GitFork size={14} aria-hidden />
    </AsideButton>
  )
}
