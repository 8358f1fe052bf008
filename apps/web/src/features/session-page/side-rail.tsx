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

/** The right rail of a wide screen: Todos, Agents, Files, Comments, Cost. Each tree keeps its tab and width. */
export function SideRail(props: SidePanelProps) {
  const [layout, setLayout] = useRailLayout(props.rootID)
  const { width } = layout
  // The width from which on session-page.module.css shows the rail: elsewhere its panels are neither loaded nor drawn.
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

/** Whether tasks run in a tree, or ran while this page showed it: their end does not take the reader's panel away. */
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
  // The server knows nothing of it: it is read after the first paint of a page that was loaded afresh.
  useEffect(() => startTransition(() => setLayout(readRailLayout(localStorage, rootID))), [rootID])
  return [
    layout,
    (next) => {
      setLayout(next)
      writeRailLayout(localStorage, rootID, next)
    },
  ]
}
