"use client"

import { Drawer } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import type { ReactNode } from "react"
import { useLayer } from "./layers-provider.tsx"
import styles from "./panel-drawer.module.css"

export interface PanelDrawerProps {
  opened: boolean
  title: string
  /** What its close button says. */
  back: string
  /** Changes what it shows: at its head; on a phone at its foot, within reach of a thumb. */
  control?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** A column of a wide page over the page, where there is no room beside it: from below on a phone, else at the right. */
export function PanelDrawer({ opened, title, back, control = null, onClose, children }: PanelDrawerProps) {
  const phone = useMediaQuery("(max-width: 767px)") ?? true
  useLayer(opened, onClose)
  const hasFoot = phone && control !== null
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position={phone ? "bottom" : "right"}
      size={phone ? "76dvh" : 380}
      title={title}
      closeButtonProps={{ "aria-label": back }}
      classNames={{
        ...(phone && { content: styles.sheet ?? "" }),
        ...(hasFoot && { body: styles.above ?? "" }),
      }}
    >
      {phone || control === null ? null : <div className={styles.head}>{control}</div>}
      {children}
      {hasFoot ? <div className={styles.foot}>{control}</div> : null}
    </Drawer>
  )
}
