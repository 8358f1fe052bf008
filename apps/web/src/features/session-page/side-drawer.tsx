"use client"

import { Drawer } from "@mantine/core"
import type { ReactNode } from "react"
import { useLayer } from "../../shell/layers-provider.tsx"
import { type Panel, panelLabel } from "./panels.ts"
import styles from "./session-page.module.css"
import { SidePanel, type SidePanelProps } from "./side-panel.tsx"

export interface SideDrawerProps extends SidePanelProps {
  opened: boolean
  /** Null while it is closed. */
  panel: Panel | null
  /** A sheet from below; else a drawer at the right. */
  phone: boolean
  /** The control that changes the panel: within reach of a thumb on a phone. */
  head: ReactNode
  onClose: () => void
}

/** One panel over the transcript. Going somewhere from it closes it. */
export function SideDrawer({ opened, panel, phone, head, onClose, ...side }: SideDrawerProps) {
  useLayer(opened, onClose)
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position={phone ? "bottom" : "right"}
      size={phone ? "76dvh" : 380}
      title={panel ? panelLabel[panel] : ""}
      closeButtonProps={{ "aria-label": "Back to the transcript" }}
      classNames={phone ? { content: styles.sheet ?? "", body: styles.sheetBody ?? "" } : {}}
    >
      {phone ? null : <div className={styles.sheetHead}>{head}</div>}
      {panel ? (
        <SidePanel
          panel={panel}
          {...side}
          onOpenSession={(id) => {
            onClose()
            side.onOpenSession(id)
          }}
          onOpenPart={(id, part) => {
            onClose()
            side.onOpenPart(id, part)
          }}
          onOpenDiff={(target) => {
            onClose()
            side.onOpenDiff(target)
          }}
        />
      ) : null}
      {phone ? <div className={styles.sheetFoot}>{head}</div> : null}
    </Drawer>
  )
}
