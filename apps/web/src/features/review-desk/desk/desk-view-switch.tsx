"use client"

import { SegmentedControl } from "@mantine/core"
import { ChevronDown, ChevronUp, PanelRight } from "lucide-react"
import { IconButton } from "../../../ui/icon-button.tsx"
import styles from "../review-page.module.css"
import { type ReviewRow, rowBeside } from "../task/review-rows.ts"
import { type DeskView, deskViews, viewLabel } from "./desk-place.ts"
import type { Columns } from "./use-columns.ts"
import type { Desk } from "./use-desk.ts"
import type { DeskNavigation } from "./use-desk-ways.ts"

interface DeskViewSwitchProps {
  desk: Desk
  row: ReviewRow
  navigation: DeskNavigation
  columns: Columns
}

const wide = deskViews.map((view) => ({ value: view as string, label: viewLabel[view] }))
const narrow: { value: string; label: string }[] = [
  { value: "transcript", label: viewLabel.transcript },
  { value: "agents", label: "Agents" },
  { value: "files", label: viewLabel.files },
  { value: "inspector", label: "More" },
]

/** Adds the view from the address if the narrow switch does not list it. */
function narrowWith(view: DeskView): typeof narrow {
  if (narrow.some(({ value }) => value === view)) return narrow
  return narrow.toSpliced(-1, 0, { value: view, label: viewLabel[view] })
}

/**
 * The view switch of the centre, which on narrow screens also lists the columns, and the buttons to the next and
 * previous task.
 */
export function DeskViewSwitch({ desk: { rows, place, go }, row, navigation, columns }: DeskViewSwitchProps) {
  const [before, after] = [rowBeside(rows, row.sessionID, -1), rowBeside(rows, row.sessionID, 1)]
  return (
    <div className={styles.views}>
      <SegmentedControl
        fullWidth={!columns.tree}
        aria-label="Show"
        classNames={{ label: styles.view ?? "" }}
        data={columns.tree ? wide : narrowWith(place.view)}
        value={place.view}
        onChange={(value) => {
          if (value === "agents" || value === "inspector") return navigation.setSheet(value)
          const view = deskViews.find((one) => one === value)
          if (view !== undefined) go({ ...place, part: null, view })
        }}
      />
      <span className={styles.beside}>
        <IconButton label="Previous task (K)" disabled={before === null} onClick={() => navigation.openRow(before)}>
          <ChevronUp size={15} />
        </IconButton>
        <IconButton label="Next task (J)" disabled={after === null} onClick={() => navigation.openRow(after)}>
          <ChevronDown size={15} />
        </IconButton>
        {columns.tree && !columns.inspector ? (
          <IconButton label="About this task" onClick={() => navigation.setSheet("inspector")}>
            <PanelRight size={15} />
          </IconButton>
        ) : null}
      </span>
    </div>
  )
}
