"use client"

import { docketCode } from "@docket/client"
import dynamic from "next/dynamic"
import { useState } from "react"
import { useGo } from "../../shell/use-go.ts"
import { lazyDialog } from "../../ui/lazy-dialog.tsx"
import { lazyPart } from "../../ui/lazy-part.tsx"
import { loadPart } from "../../ui/load-part.ts"
import { TranscriptSpace } from "../../ui/transcript-space.tsx"
import { type CommentStore, createCommentStore } from "../commenting/comment-store.ts"
import { CommentingProvider, useCommentFocus } from "../commenting/use-commenting.ts"
import { useTabTitle } from "../notify/use-tab-title.ts"
import { TreePresence } from "../presence/tree-presence.tsx"
import { useReplay } from "../replay/use-replay.ts"
import { commentHere } from "./desk/comment-here.ts"
import { DeskCentre } from "./desk/desk-centre.tsx"
import { DeskHeader } from "./desk/desk-header.tsx"
import { DeskGone, DeskLoading, DeskUnreadable } from "./desk/desk-states.tsx"
import { useColumns } from "./desk/use-columns.ts"
import { useDesk } from "./desk/use-desk.ts"
import { useDeskKeys } from "./desk/use-desk-keys.ts"
import { useDeskWays } from "./desk/use-desk-ways.ts"
import { Inspector, type InspectorTab } from "./inspector/inspector.tsx"
import styles from "./review-page.module.css"
import type { ReviewRow } from "./task/review-rows.ts"
import { TaskTree } from "./task/task-tree.tsx"
import { useJudge } from "./verdict/use-judge.ts"
import { VerdictBar } from "./verdict/verdict-bar.tsx"

const PanelDrawer = lazyDialog(() => import("../../shell/panel-drawer.tsx").then((it) => it.PanelDrawer))
const Minimap = lazyPart(
  dynamic(() => loadPart(() => import("./minimap/minimap.tsx").then((it) => it.Minimap)), { ssr: false }),
)

const Replay = lazyPart(
  dynamic(() => loadPart(() => import("../replay/replay.tsx").then((it) => it.Replay))),
  { loading: () => <TranscriptSpace /> },
)
const SessionComments = lazyPart(
  dynamic(() => loadPart(() => import("../comments/session-comments.tsx").then((it) => it.SessionComments)), {
    ssr: false,
  }),
)

/** The review of a tree: what was delegated, one task of it, and what people say of that. */
export function ReviewPage({ rootID }: { rootID: string }) {
  const [comments] = useState(createCommentStore)
  return (
    <CommentingProvider value={comments}>
      <ReviewDesk rootID={rootID} comments={comments} />
    </CommentingProvider>
  )
}

function ReviewDesk({ rootID, comments }: { rootID: string; comments: CommentStore }) {
  const desk = useDesk(rootID)
  const { row, task } = desk
  const leave = useGo()
  const ways = useDeskWays(desk)
  const replay = useReplay({ sessionID: row?.sessionID ?? rootID, store: desk.store, openAt: ways.openAt })
  const columns = useColumns()
  const [tab, setTab] = useState<InspectorTab>("comments")
  const at = usePointedAt(task?.id ?? null)
  const judge = useJudge(desk)
  useCommentFocus(() => {
    setTab("comments")
    if (!columns.inspector) ways.setSheet("inspector")
  })
  useTabTitle(`Review · ${row?.title ?? "Session"} · Docket`)
  useDeskKeys({ desk, ways, judge, comments, leave: () => leave(sessionHref(rootID, row)) })

  if (desk.gone || docketCode(desk.error) === "session_not_found" || docketCode(desk.error) === "invalid_input")
    return <DeskGone />
  if (desk.error && !desk.loaded) return <DeskUnreadable message={desk.error.message} />
  const tree = <TaskTree rootID={rootID} rows={desk.rows} current={row?.sessionID ?? null} onOpen={ways.openRow} />
  const judged = task !== null && judge.can ? task : null
  const inspector = (
    <Inspector
      desk={desk}
      ways={ways}
      tab={tab}
      onTab={setTab}
      at={at.id ?? desk.place.part}
      besideVerdicts={judged !== null && columns.inspector}
    />
  )
  return (
    <TreePresence store={desk.store} sessionID={row?.sessionID ?? null} view="review">
      <div className={styles.page}>
        <DeskHeader desk={desk} replay={replay} />
        {replay.at === null ? (
          <div className={styles.map}>
            {row === null ? null : <Minimap rootID={rootID} rows={desk.rows} current={row.sessionID} ways={ways} />}
          </div>
        ) : null}
        {row === null ? (
          <DeskLoading />
        ) : replay.at !== null ? (
          <Replay key={rootID} rootID={rootID} sessionID={row.sessionID} at={replay.at} {...replay.ways} />
        ) : (
          <div className={styles.columns}>
            {columns.tree ? (
              <nav className={styles.tree} aria-label="Delegated tasks">
                {tree}
              </nav>
            ) : null}
            <DeskCentre desk={desk} row={row} ways={ways} columns={columns} onPoint={at.point} />
            {columns.inspector ? (
              <section className={styles.inspector} aria-label="About this task">
                {inspector}
              </section>
            ) : null}
            {judged !== null ? (
              <VerdictBar
                task={judged}
                review={row.review}
                judge={judge}
                onComment={() => commentHere(comments, row.sessionID)}
              />
            ) : null}
          </div>
        )}
        {desk.loaded ? <SessionComments rootID={rootID} tree={desk.store} store={comments} /> : null}
        {ways.sheet === null ? null : (
          <PanelDrawer
            back="Back to the task"
            opened
            title={ways.sheet === "agents" ? "Agents" : "About this task"}
            onClose={() => ways.setSheet(null)}
          >
            {ways.sheet === "agents" ? tree : inspector}
          </PanelDrawer>
        )}
      </div>
    </TreePresence>
  )
}

/** The part or message of a task that the reader pointed at last. */
function usePointedAt(taskID: string | null): { id: string | null; point(id: string): void } {
  const [pointed, setPointed] = useState<{ taskID: string | null; id: string } | null>(null)
  return {
    id: pointed?.taskID === taskID ? pointed.id : null,
    point: (id) => setPointed({ taskID, id }),
  }
}

function sessionHref(rootID: string, row: ReviewRow | null): string {
  return row === null || row.sessionID === rootID ? `/s/${rootID}` : `/s/${rootID}/c/${row.sessionID}`
}
