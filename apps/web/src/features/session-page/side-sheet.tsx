"use client"

import { Drawer, SegmentedControl } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { useState } from "react"
import styles from "./session-page.module.css"
import { type Panel, panelLabel, panels, SidePanel, type SidePanelProps } from "./side-panel.tsx"

type View = "transcript" | Panel

const views = [
  { value: "transcript", label: "Transcript" },
  ...(["agents", "todos", "files"] as const).map((panel) => ({ value: panel, label: panelLabel[panel] })),
]

/** Phones and narrow windows: a segmented control, and the panels as a sheet over the transcript. */
export function SideSheet(props: SidePanelProps) {
  const [view, setView] = useState<View>("transcript")
  const phone = useMediaQuery("(max-width: 767px)") ?? true
  const close = () => setView("transcript")
  const options = phone ? views : [...views, { value: "cost", label: panelLabel.cost }]
  const control = (
    <SegmentedControl
      fullWidth
      aria-label="Show"
      className={styles.segments ?? ""}
      data={options}
      value={view}
      // The control hands back one of the values above.
      onChange={(value) => setView(value as View)}
    />
  )
  return (
    <div className={styles.sheetBar}>
      {control}
      <Drawer
        opened={view !== "transcript"}
        onClose={close}
        position={phone ? "bottom" : "right"}
        size={phone ? "76dvh" : 380}
        title={view === "transcript" ? "" : panelLabel[view]}
        closeButtonProps={{ "aria-label": "Back to the transcript" }}
        classNames={{ content: styles.sheet ?? "" }}
      >
        <div className={styles.sheetHead}>{control}</div>
        {panels
          .filter((panel) => panel === view)
          .map((panel) => (
            <SidePanel
              key={panel}
              panel={panel}
              {...props}
              onOpenSession={(id) => {
                close()
                props.onOpenSession(id)
              }}
              onOpenPart={(id, part) => {
                close()
                props.onOpenPart(id, part)
              }}
            />
          ))}
      </Drawer>
    </div>
  )
}
