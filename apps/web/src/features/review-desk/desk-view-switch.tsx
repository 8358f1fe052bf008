"use client"

import { SegmentedControl } from "@mantine/core"
import { PanelRight } from "lucide-react"
import { IconButton } from "../../ui/icon-button.tsx"
import { deskViews, viewLabel } from "./desk-place.ts"
import styles from "./review-page.module.css"
import type { Desk } from "./use-desk.ts"

/** What stands over the desk where it has no column for it. */
export type Sheet = "agents" | "inspector"

interface DeskViewSwitchProps {
  desk: Desk
  hasTree: boolean
  hasInspector: boolean
  onSheet(sheet: Sheet): void
}

/** What the centre shows; where the desk has no columns, these too. */
export function DeskViewSwitch({ desk: { place, go }, hasTree, hasInspector, onSheet }: DeskViewSwitchProps) {
  const views = deskViews.map((view) => ({ value: view as string, label: viewLabel[view] }))
  const sheets = [
    { value: "agents", label: "Agents" },
    { value: "inspector", label: "More" },
  ]
  const [transcript, , files] = views
  const data = hasTree ? views : [transcript, sheets[0], files, sheets[1]].filter((entry) => entry !== undefined)
  return (
    <div className={styles.views}>
      <SegmentedControl
        fullWidth={!hasTree}
        aria-label="Show"
        data={data}
        value={place.view}
        onChange={(value) => {
          if (value === "agents" || value === "inspector") return onSheet(value)
          const view = deskViews.find((one) => one === value)
          if (view !== undefined) go({ ...place, part: null, view })
        }}
      />
      {hasTree && !hasInspector ? (
        <IconButton label="About this task" onClick={() => onSheet("inspector")}>
          <PanelRight size={15} />
        </IconButton>
      ) : null}
    </div>
  )
}
