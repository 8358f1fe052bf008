"use client"

import { Dialog } from "../../shell/dialog.tsx"
import { KeyList } from "./key-list.tsx"
import { useSingleKeys } from "./single-keys.tsx"

/** The dialog that `?` opens. */
export function KeyboardHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { enabled } = useSingleKeys()
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Keyboard"
      size={640}
      closeButtonProps={{ "aria-label": "Close keyboard help" }}
    >
      {enabled ? null : <p>Single keys are off. Settings has the switch.</p>}
      <KeyList />
    </Dialog>
  )
}
