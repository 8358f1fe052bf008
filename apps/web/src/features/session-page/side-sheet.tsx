"use client"

import { SegmentedControl } from "@mantine/core"
import { useState } from "react"
import { lazyDialog } from "../../ui/lazy-dialog.tsx"
import { useCommentFocus } from "../commenting/use-commenting.ts"
import { type Panel, panelLabel } from "./panels.ts"
import styles from "./session-page.module.css"
import type { SidePanelProps } from "./side-panel.tsx"

const SideDrawer = lazyDialog(() => import("./side-drawer.tsx").then((it) => it.SideDrawer))

type View = "transcript" | Panel

const views = [
  { value: "transcript", label: "Transcript" },
  ...(["agents", "todos", "files", "comments", "cost"] as const).map((panel) => ({
    value: panel,
    label: panelLabel[panel],
  })),
]

/** On phones and narrow windows: a segmented control, and the panels as a sheet over the transcript. */
export function SideSheet(props: SidePanelProps) {
  const [view, setView] = useState<View>("transcript")
  const [used, setUsed] = useState(false)
  useCommentFocus(() => {
    setUsed(true)
    setView("comments")
  })
  const control = (
    <SegmentedControl
      fullWidth
      aria-label="Show"
      classNames={{ label: styles.view ?? "" }}
      data={views}
      value={view}
      // The control returns one of the values above.
      onChange={(value) => {
        setUsed(true)
        setView(value as View)
      }}
    />
  )
  return (
    <>
      {control}
      {used ? (
        <SideDrawer
          {...props}
          opened={view !== "transcript"}
          panel={view === "transcript" ? null : view}
          control={control}
          onClose={() => setView("transcript")}
        />
      ) : null}
    </>
  )
}
