"use client"

import { docketCode } from "@docket/client"
import type { VerdictKind } from "@docket/core/schema"
import { useMediaQuery } from "@mantine/hooks"
import dynamic from "next/dynamic"
import { useCallback, useEffect, useState } from "react"
import { useGo } from "../../shell/use-go.ts"
import { lazyDialog } from "../../ui/lazy-dialog.tsx"
import { lazyPart } from "../../ui/lazy-part.tsx"
import { loadPart } from "../../ui/load-part.ts"
import { type CommentStore, createCommentStore } from "../commenting/comment-store.ts"
import { hasSelectedWords } from "../commenting/selected-words.ts"
import { CommentingProvider, useCommentFocus } from "../commenting/use-commenting.ts"
import { useTabTitle } from "../notify/use-tab-title.ts"
import { type Judged, useVerdicts } from "../review/use-verdicts.ts"
import { newestPart } from "../tree/newest-part.ts"
import { AttemptBand, HeldBand, NewsBand } from "./bands.tsx"
import { DeskContent } from "./desk-content.tsx"
import { DeskHeader } from "./desk-header.tsx"
import { taskParam } from "./desk-place.ts"
import { DeskGone, DeskLoading, DeskUnreadable, NothingDelegated } from "./desk-states.tsx"
import { DeskViewSwitch, type Sheet } from "./desk-view-switch.tsx"
import { Inspector, type InspectorTab } from "./inspector.tsx"
import styles from "./review-page.module.css"
import type { ReviewRow } from "./review-rows.ts"
import { TaskHead } from "./task-head.tsx"
import { TaskTree } from "./task-tree.tsx"
import { useDesk } from "./use-desk.ts"
import { useDeskKeys } from "./use-desk-keys.ts"
import { VerdictBar } from "./verdict-bar.tsx"

const DeskSheet = lazyDialog(() => import("./desk-sheet.tsx").then((it) => it.DeskSheet))

const SessionComments = lazyPart(
  dynamic(() => loadPart(() => import("../comments/session-comments.tsx").then((it) => it.SessionComments)), {
    ssr: false,
  }),
)
const Minimap = lazyPart(
  dynamic(() => loadPart(() => import("./minimap.tsx").then((it) => it.Minimap)), { ssr: false }),
)

/** The review of a tree, on which everything can be commented. */
export function ReviewPage({ rootID }: { rootID: string }) {
  const [comments] = useState(createCommentStore)
  return (
    <CommentingProvider value={comments}>
      <DeskPage rootID={rootID} comments={comments} />
    </CommentingProvider>
  )
}

/** What was delegated, one task of it, and what people say of that. */
function DeskPage({ rootID, comments }: { rootID: string; comments: CommentStore }) {
  const desk = useDesk(rootID)
  const { row, task, place, go } = desk
  const leave = useGo()
  const verdicts = useVerdicts(rootID)
  const [tab, setTab] = useState<InspectorTab>("comments")
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const [writing, setWriting] = useState<VerdictKind | null>(null)
  const [file, setFile] = useState<string | null>(null)
  const [at, setAt] = useState<string | null>(null)
  // The widths from which on review-page.module.css shows the columns: elsewhere they are sheets.
  const hasTree = useMediaQuery("(min-width: 1024px)", undefined, { getInitialValueInEffect: false }) ?? false
  const hasInspector = useMediaQuery("(min-width: 1280px)", undefined, { getInitialValueInEffect: false }) ?? false
  useTabTitle(`Review · ${row?.title ?? "Session"} · Docket`)
  const taskID = task?.id ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was begun on one task is not meant for another
  useEffect(() => {
    setWriting(null)
    setFile(null)
    setAt(null)
  }, [taskID])

  const openRow = useCallback(
    (next: ReviewRow | null | undefined) => {
      if (!next) return
      setSheet(null)
      go({ task: taskParam(next), view: place.view === "timeline" ? "timeline" : "transcript" })
    },
    [go, place.view],
  )
  const openSession = useCallback((id: string) => openRow(desk.rows.get(id)), [openRow, desk.rows])
  const openPart = useCallback(
    (sessionID: string, part: string) => {
      const target = desk.rows.get(sessionID)
      if (target === undefined) return
      setSheet(null)
      go({ task: sessionID === row?.sessionID ? (place.task ?? taskParam(target)) : taskParam(target), part })
    },
    [go, desk.rows, row?.sessionID, place.task],
  )
  const openFile = (path: string) => {
    setSheet(null)
    setFile(path)
    go({ ...place, part: null, view: "files" })
  }
  const showTab = (next: InspectorTab) => {
    setTab(next)
    if (!hasInspector) setSheet("inspector")
  }
  useCommentFocus(() => showTab("comments"))
  const newest = row?.task?.id === taskID
  /** A person judges what the page shows, not what came since. */
  const withTask = (act: (at: Judged) => void) => {
    if (taskID !== null) act({ taskID, seen: newestPart(desk.store.get().tree, row?.sessionID ?? "") })
  }
  const judge = {
    write: (verdict: VerdictKind | null) => newest && setWriting(verdict),
    give: (verdict: VerdictKind, reason: string) => {
      setWriting(null)
      if (newest) withTask((at) => verdicts.give(at, verdict, reason))
    },
    setViewed: (viewed: boolean) => withTask((at) => verdicts.setViewed(at, viewed)),
    comment: () => {
      if (hasSelectedWords()) comments.wish({ kind: "selection" })
      else if (row !== null) comments.wish({ kind: "place", sessionID: row.sessionID, place: { kind: "session" } })
    },
  }
  useDeskKeys({ desk, openRow, judge, leave: () => leave(sessionHref(rootID, row)) })

  if (desk.gone || docketCode(desk.error) === "session_not_found" || docketCode(desk.error) === "invalid_input")
    return <DeskGone />
  if (desk.error && !desk.loaded) return <DeskUnreadable message={desk.error.message} />
  const inspector = {
    desk,
    tab,
    onTab: setTab,
    at: at ?? place.part,
    onOpenSession: openSession,
    onOpenPart: openPart,
    onOpenFile: openFile,
  }
  const tree = <TaskTree rootID={rootID} rows={desk.rows} current={row?.sessionID ?? null} onOpen={openRow} />
  return (
    <div className={styles.page}>
      <DeskHeader desk={desk} />
      <div className={styles.map}>
        {row === null ? null : (
          <Minimap rootID={rootID} rows={desk.rows} current={row.sessionID} onOpen={openRow} onOpenPart={openPart} />
        )}
      </div>
      {row === null ? (
        <DeskLoading />
      ) : (
        <div className={styles.columns}>
          {hasTree ? (
            <nav className={styles.tree} aria-label="Delegated tasks">
              {tree}
            </nav>
          ) : null}
          <div className={styles.centre}>
            <TaskHead row={row} task={task} go={go} />
            {desk.rows.size === 1 ? <NothingDelegated rootID={rootID} /> : null}
            <HeldBand task={task} />
            <AttemptBand row={row} task={task} go={go} />
            <NewsBand desk={desk} onOpenPart={openPart} />
            <DeskViewSwitch desk={desk} hasTree={hasTree} hasInspector={hasInspector} onSheet={setSheet} />
            <DeskContent desk={desk} file={file} onOpenSession={openSession} onOpenPart={openPart} onPoint={setAt} />
            {task === null || desk.review === null || !newest ? null : (
              <VerdictBar
                review={desk.review}
                number={task.number}
                writing={writing}
                onWrite={setWriting}
                onGive={judge.give}
                onWithdraw={() => verdicts.withdraw(task.id)}
                onViewed={judge.setViewed}
                onComment={judge.comment}
              />
            )}
          </div>
          {hasInspector ? (
            <section className={styles.inspector} aria-label="About this task">
              <Inspector {...inspector} />
            </section>
          ) : null}
        </div>
      )}
      {desk.loaded ? <SessionComments rootID={rootID} store={comments} tree={desk.store} /> : null}
      {sheet === null ? null : (
        <DeskSheet opened title={sheet === "agents" ? "Agents" : "About this task"} onClose={() => setSheet(null)}>
          {sheet === "agents" ? tree : <Inspector {...inspector} />}
        </DeskSheet>
      )}
    </div>
  )
}

function sessionHref(rootID: string, row: ReviewRow | null): string {
  return row === null || row.sessionID === rootID ? `/s/${rootID}` : `/s/${rootID}/c/${row.sessionID}`
}
