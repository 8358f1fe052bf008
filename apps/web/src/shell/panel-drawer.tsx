"use client"

import { Drawer } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import type { ReactNode } from "react"
import { useLayer } from "./layers-provider.tsx"
import styles from "./panel-drawer.module.css"

export interface PanelDrawerProps {
  opened: boolean
  title: string
  /** Label of the close button. */
  back: string
  /** A control for the content: in the header, or on phones at the bottom, within reach of a thumb. */
  control?: ReactNode
  onClose: () => void
  children: ReactNode
}

/**
 * Shows a side column as a drawer where the page has no space for it: from below on phones, otherwise from the right.
 */
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
