"use client"

import { Button, Group } from "@mantine/core"
import { type ReactNode, useState } from "react"
import { Dialog } from "../../../../shell/dialog.tsx"
import { useFocusAfterwards } from "../../../../ui/use-focus-afterwards.ts"

export interface ConfirmDialogProps {
  title: string
  /** What is done, on the button. */
  action: string
  /** What happens with it. */
  children: ReactNode
  /** Does it; what it throws is said in the dialog, which stays. */
  confirm(): Promise<unknown>
  onClose(): void
  /** What has the focus afterwards when the button that opened it is gone. */
  next: string
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ title, action, children, confirm, onClose, next }: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useFocusAfterwards(next)
  const act = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await confirm()
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "Try again.")
      setBusy(false)
    }
  }
  return (
    <Dialog opened onClose={onClose} title={title} returnFocus={false}>
      <p>{children}</p>
      {problem === null ? null : <p role="alert">{problem}</p>}
      <Group justify="flex-end" mt="md">
        <Button data-autofocus onClick={onClose}>
          Cancel
        </Button>
        <Button variant="filled" color="red" loading={busy} onClick={() => void act()}>
          {action}
        </Button>
      </Group>
    </Dialog>
  )
}
