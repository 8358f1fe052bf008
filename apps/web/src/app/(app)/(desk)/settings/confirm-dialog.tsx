"use client"

import { Button, Group } from "@mantine/core"
import { type ReactNode, useState } from "react"
import { Dialog } from "../../../../shell/dialog.tsx"
import { useFocusAfterwards } from "../../../../ui/use-focus-afterwards.ts"

export interface ConfirmDialogProps {
  title: string
  /** The label of the confirm button. */
  action: string
  /** The consequences. */
  children: ReactNode
  /** Performs the action. If it throws, the dialog shows the error and stays open. */
  confirm(): Promise<unknown>
  onClose(): void
  /** Selector of the element that gets focus afterwards if the opening button is gone. */
  next: string
}

/** Asks for confirmation before an action that cannot be undone. */
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
