"use client"

import { Modal, type ModalProps } from "@mantine/core"
import { useLayer } from "./layers-provider.tsx"

interface DialogProps extends ModalProps {
  /** The dialog is a view of its own: Back closes it on every screen, not only on phones. */
  isView?: boolean
}

export function Dialog({ isView = false, closeButtonProps, ...props }: DialogProps) {
  useLayer(props.opened, props.onClose, isView ? "everywhere" : "phone")
  return <Modal {...props} closeButtonProps={{ "aria-label": "Close", ...closeButtonProps }} />
}
