"use client"

import type { ReactNode } from "react"
import { PanelDrawer } from "../../shell/panel-drawer.tsx"
import { type Panel, panelLabel } from "./panels.ts"
import { SidePanel, type SidePanelProps } from "./side-panel.tsx"

export interface SideDrawerProps extends SidePanelProps {
  opened: boolean
  /** Null while it is closed. */
  panel: Panel | null
  /** The control that switches the panel. */
  control: ReactNode
  onClose: () => void
}

/** One panel over the transcript. It closes when the user navigates from it. */
export function SideDrawer({ opened, panel, control, onClose, ...side }: SideDrawerProps) {
  return (
    <PanelDrawer
      opened={opened}
      title={panel ? panelLabel[panel] : ""}
      back="Back to the transcript"
      control={control}
      onClose={onClose}
    >
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
    </PanelDrawer>
  )
}
