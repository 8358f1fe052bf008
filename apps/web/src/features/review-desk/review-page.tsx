"use client"

import { docketCode, type TreeSeed } from "@docket/client"
import dynamic from "next/dynamic"
import { useEffect, useMemo, useState } from "react"
import { FirstDesk } from "#first-desk"
import { FirstScript } from "#first-rows"
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
import behind from "../transcript/first/first-window.module.css"
import { FirstWindow } from "../transcript/first/first-window.tsx"
import { seedFor } from "../transcript/first/seed-for.ts"
import { useFirstWindow } from "../transcript/first/use-first-window.ts"
import { placeToLoad } from "../transcript/use-arrival.ts"
import { commentHere } from "./desk/comment-here.ts"
import { DeskCentre } from "./desk/desk-centre.tsx"
import { DeskColumns } from "./desk/desk-columns.tsx"
import { DeskContent } from "./desk/desk-content.tsx"
import { DeskHeader } from "./desk/desk-header.tsx"
import { DeskGone, DeskLoading, DeskUnreadable } from "./desk/desk-states.tsx"
import { DeskViewSwitch } from "./desk/desk-view-switch.tsx"
import { useColumns } from "./desk/use-columns.ts"
import { useDesk } from "./desk/use-desk.ts"
import { useDeskKeys } from "./desk/use-desk-keys.ts"
import { useDeskNavigation } from "./desk/use-desk-ways.ts"
import type { FirstDeskView } from "./first/read-first-desk.ts"
import { useSentDesk } from "./first/use-sent-desk.ts"
import { Inspector, type InspectorTab } from "./inspector/inspector.tsx"
import styles from "./review-page.module.css"
import type { ReviewRow } from "./task/review-rows.ts"
import { TaskBrief } from "./task/task-brief.tsx"
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

interface ReviewPageProps {
  rootID: string
  /** Data sent with a full page load; null for navigation inside the app. */
  first: FirstDeskView | null
}

/** The review of a tree: its tasks, one task of them, and the verdicts and comments on it. */
export function ReviewPage({ rootID, first }: ReviewPageProps) {
  const [comments] = useState(createCommentStore)
  return (
    <CommentingProvider value={comments}>
      <ReviewDesk rootID={rootID} first={first} comments={comments} />
    </CommentingProvider>
  )
}

function ReviewDesk({ rootID, first, comments }: ReviewPageProps & { comments: CommentStore }) {
  // `standing`: the rows that were sent with the page are still shown, over the live desk; `drop` removes them.
  const { standing, drop } = useFirstWindow(first?.sessionID ?? rootID, first !== null)
  const seed = useArrivalSeed(first)
  useSentDesk(rootID, first)
  const desk = useDesk(rootID, seed)
  const { row, task } = desk
  const goToPage = useGo()
  const navigation = useDeskNavigation(desk)
  const replay = useReplay({ sessionID: row?.sessionID ?? rootID, store: desk.store, openAt: navigation.openAt })
  const columns = useColumns()
  const [tab, setTab] = useState<InspectorTab>("comments")
  const lastFocused = usePointedAt(task?.id ?? null)
  const judge = useJudge(desk)
  useCommentFocus(() => {
    setTab("comments")
    if (!columns.inspector) navigation.setSheet("inspector")
  })
  useTabTitle(`Review · ${row?.title ?? "Session"} · Docket`)
  // The user opened a view other than the transcript, which the rows that were sent would cover.
  const showsOther = row !== null && (desk.place.view !== "transcript" || replay.at !== null)
  useEffect(() => {
    if (standing && showsOther) drop()
  }, [standing, showsOther, drop])
  useDeskKeys({ desk, navigation, judge, comments, leave: () => goToPage(sessionHref(rootID, row)) })

  const code = docketCode(desk.error)
  const isMissing = desk.gone || code === "session_not_found" || code === "invalid_input"
  if (isMissing) return <DeskGone rootID={rootID} />
  if (desk.error && !desk.loaded) return <DeskUnreadable message={desk.error.message} />
  const tree = (
    <TaskTree rootID={rootID} rows={desk.rows} current={row?.sessionID ?? null} onOpen={navigation.openRow} />
  )
  const judgeableTask = task !== null && judge.isJudgeable ? task : null
  const inspector = (
    <Inspector
      desk={desk}
      navigation={navigation}
      tab={tab}
      onTab={setTab}
      at={lastFocused.id ?? desk.place.part}
      besideVerdicts={judgeableTask !== null && columns.inspector}
    />
  )
  const onDrawn = standing ? drop : undefined
  return (
    <TreePresence store={desk.store} sessionID={row?.sessionID ?? null} view="review">
      <div className={styles.page}>
        <DeskHeader desk={desk} sent={first?.header ?? null} replay={replay} />
        <div className={behind.place}>
          <div className={`${behind.live} ${styles.whole}`} data-behind={standing} data-live={row?.sessionID}>
            {replay.at === null ? (
              <div className={styles.map}>
                {row === null ? null : (
                  <Minimap rootID={rootID} rows={desk.rows} current={row.sessionID} navigation={navigation} />
                )}
              </div>
            ) : null}
            {row === null ? (
              <DeskLoading />
            ) : replay.at !== null ? (
              <Replay key={rootID} rootID={rootID} sessionID={row.sessionID} at={replay.at} {...replay.ways} />
            ) : (
              <DeskColumns
                columns={columns}
                tree={tree}
                inspector={inspector}
                foot={
                  judgeableTask === null ? null : (
                    <VerdictBar
                      task={judgeableTask}
                      review={row.review}
                      judge={judge}
                      onComment={() => commentHere(comments, row.sessionID)}
                    />
                  )
                }
              >
                <DeskCentre
                  desk={desk}
                  row={row}
                  navigation={navigation}
                  brief={task === null ? null : <TaskBrief key={task.id} task={task} />}
                  views={<DeskViewSwitch desk={desk} row={row} navigation={navigation} columns={columns} />}
                >
                  <DeskContent desk={desk} navigation={navigation} onPoint={lastFocused.point} onDrawn={onDrawn} />
                </DeskCentre>
              </DeskColumns>
            )}
          </div>
          {standing && first !== null ? (
            <FirstWindow className={styles.whole} sessionID={first.sessionID} part={first.part}>
              <FirstDesk first={first} />
            </FirstWindow>
          ) : null}
        </div>
        {desk.loaded ? <SessionComments rootID={rootID} tree={desk.store} store={comments} /> : null}
        {navigation.sheet === null ? null : (
          <PanelDrawer
            back="Back to the task"
            opened
            title={navigation.sheet === "agents" ? "Agents" : "About this task"}
            onClose={() => navigation.setSheet(null)}
          >
            {navigation.sheet === "agents" ? tree : inspector}
          </PanelDrawer>
        )}
        {standing && first !== null ? <FirstScript nonce={first.nonce} /> : null}
      </div>
    </TreePresence>
  )
}

/** The seed that was sent with the page, for the user's place. */
function useArrivalSeed(first: FirstDeskView | null): TreeSeed | null {
  return useMemo(() => first && seedFor(first.seed, placeToLoad(first.sessionID, first.part)), [first])
}

/** The part or message of a task that had focus last. */
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
