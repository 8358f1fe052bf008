"use client"

import { useTree, useTreeState } from "@docket/client/react"
import { startTransition, useEffect, useState } from "react"
import { SideTabs } from "../../ui/side-tabs.tsx"
import { useMedia } from "../../ui/use-media.ts"
import { CommentCount } from "../commenting/comment-count.tsx"
import { wholeTree } from "../commenting/comment-store.ts"
import { useCommentFocus } from "../commenting/use-commenting.ts"
import { hasEnded } from "../task/task-state.ts"
import { panelLabel } from "./panels.ts"
import { type RailLayout, readRailLayout, shownPanel, writeRailLayout } from "./rail-layout.ts"
import { RailResizer } from "./rail-resizer.tsx"
import styles from "./session-page.module.css"
import { SidePanel, type SidePanelProps } from "./side-panel.tsx"

/** The right rail of a wide screen: Todos, Agents, Files, Comments, Cost. Tab and width are stored per tree. */
export function SideRail(props: SidePanelProps) {
  const [layout, setLayout] = useRailLayout(props.rootID)
  const { width } = layout
  // The width from which session-page.module.css shows the rail. Below it, its panels are neither loaded nor rendered.
  const shown = useMedia("(min-width: 1180px)")
  useCommentFocus(() => setLayout({ panel: "comments", width }))
  const panel = shownPanel(layout, useDelegated(props.rootID))
  return (
    <section className={styles.side} style={width === null ? undefined : { width }} aria-label="Session details">
      <RailResizer width={width} onWidth={(next) => setLayout({ ...layout, width: next })} />
      <SideTabs
        label="Session details"
        tabs={panelLabel}
        value={panel}
        onTab={(next) => setLayout({ panel: next, width })}
        after={(name) => (name === "comments" ? <CommentCount id={wholeTree} /> : null)}
      >
        {(name) => (shown ? <SidePanel panel={name} {...props} /> : null)}
      </SideTabs>
    </section>
  )
}

/** Whether tasks run in a tree, or ran while this page was open. The tab must not change when they end. */
function useDelegated(rootID: string): boolean {
  const running = useTreeState(useTree(rootID), ({ tree }) =>
    Object.values(tree?.tasks ?? {}).some(({ state }) => !hasEnded(state)),
  )
  const [seen, setSeen] = useState<string | null>(null)
  useEffect(() => {
    if (running) setSeen(rootID)
  }, [running, rootID])
  return running || seen === rootID
}

function useRailLayout(rootID: string): [RailLayout, (layout: RailLayout) => void] {
  const [layout, setLayout] = useState<RailLayout>({ panel: null, width: null })
  // localStorage does not exist on the server: it is read after the first paint of a full page load.
  useEffect(() => startTransition(() => setLayout(readRailLayout(localStorage, rootID))), [rootID])
  return [
    layout,
    (next) => {
      setLayout(next)
      writeRailLayout(localStorage, rootID, next)
    },
  ]
}
