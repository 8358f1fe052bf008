"use client"

import { Button } from "@mantine/core"
import { PanelBottomClose } from "lucide-react"
import { useMe } from "../../../shell/me.tsx"
import { useTaskActions } from "../../task/use-task-actions.ts"

interface ToBackgroundProps {
  id: string
  number: number
  className: string
}

/** Moves the task to the background, so that the parent continues while the child works. */
export function ToBackground({ id, number, className }: ToBackgroundProps) {
  const { background, busy } = useTaskActions({ id, number })
  if (!useMe().can("prompt")) return null
  return (
    <Button
      variant="subtle"
      color="gray"
      className={className}
      leftSection={<PanelBottomClose size={12} aria-hidden />}
      loading={busy}
      onClick={background}
    >
      To background
    </Button>
  )
}
