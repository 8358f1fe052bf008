"use client"

import { Modal } from "@mantine/core"
import { KeyList } from "./key-list.tsx"
import { useSingleKeys } from "./single-keys.tsx"

/** The dialog behind `?`. */
export function KeyboardHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { enabled } = useSingleKeys()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Keyboard"
      size={640}
      closeButtonProps={{ "aria-label": "Close keyboard help" }}
    >
      {enabled ? null : <p>Single keys are off. Settings has the switch.</p>}
      <KeyList />
    </Modal>
  )
}
