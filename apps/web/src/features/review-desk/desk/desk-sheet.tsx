"use client"

import { Drawer } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import type { ReactNode } from "react"
import { useLayer } from "../../../shell/layers-provider.tsx"
import styles from "../review-page.module.css"

interface DeskSheetProps {
  opened: boolean
  title: string
  onClose: () => void
  children: ReactNode
}

/** A column of the desk over it: a sheet from below on a phone, else a drawer at the right. */
export function DeskSheet({ opened, title, onClose, children }: DeskSheetProps) {
  const phone = useMediaQuery("(max-width: 767px)") ?? true
  useLayer(opened, onClose)
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position={phone ? "bottom" : "right"}
      size={phone ? "76dvh" : 380}
      title={title}
      closeButtonProps={{ "aria-label": "Back to the task" }}
      classNames={phone ? { content: styles.sheet ?? "" } : {}}
    >
      {children}
    </Drawer>
  )
}
