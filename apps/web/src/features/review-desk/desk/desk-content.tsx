"use client"

import { useTreeState } from "@docket/client/react"
import type { Todo } from "@docket/core/schema"
import dynamic from "next/dynamic"
import { useCallback } from "react"
import { lazyPart } from "../../../ui/lazy-part.tsx"
import { loadPart } from "../../../ui/load-part.ts"
import { SkeletonRows } from "../../../ui/skeleton-rows.tsx"
import styles from "../review-page.module.css"
import { deskHref } from "./desk-place.ts"
import type { Desk } from "./use-desk.ts"
import type { DeskNavigation } from "./use-desk-ways.ts"

const loading = () => (
  <div className={styles.space}>
    <SkeletonRows count={8} height={36} label="Loading" />
  </div>
)
const Transcript = lazyPart(
  dynamic(() => loadPart(() => import("../../transcript/transcript.tsx").then((it) => it.Transcript))),
  { loading },
)
const TaskDiffs = lazyPart(
  dynamic(() => loadPart(() => import("../task/task-diffs.tsx").then((it) => it.TaskDiffs))),
  { loading },
)
const TodoRail = lazyPart(
  dynamic(() => loadPart(() => import("../../todo/todo-rail.tsx").then((it) => it.TodoRail))),
  { loading },
)

const Timeline = lazyPart(
  dynamic(() => loadPart(() => import("../timeline/timeline.tsx").then((it) => it.Timeline))),
  { loading },
)

interface DeskContentProps {
  desk: Desk
  navigation: Pick<DeskNavigation, "file" | "openSession" | "openPart">
  /** The user focused a part or message. */
  onPoint(id: string): void
  /** Called when the transcript is drawn, to remove what covers the desk. */
  onDrawn: (() => void) | undefined
}

const noTodos: Todo[] = []

/** One task in the view named in the address. */
export function DeskContent({ desk, navigation, onPoint, onDrawn }: DeskContentProps) {
  const { file, openSession: onOpenSession, openPart: onOpenPart } = navigation
  const { rootID, row, task, place } = desk
  const sessionID = row?.sessionID ?? ""
  const todos = useTreeState(desk.store, (view) => view.tree?.todos[sessionID] ?? noTodos)
  const named = task?.id ?? "root"
  const addressOf = useCallback(
    (part: string) => new URL(deskHref(rootID, { task: named, part }), location.href).href,
    [rootID, named],
  )
  switch (place.view) {
    case "files":
      return (
        <div className={styles.content}>
          <TaskDiffs key={named} rootID={rootID} taskID={task?.id ?? null} path={file} onOpenPart={onOpenPart} />
        </div>
      )
    case "timeline":
      return (
        <div className={styles.content}>
          <Timeline
            key={sessionID}
            sessionID={sessionID}
            agent={row?.agent ?? ""}
            part={place.part}
            onOpenPart={onOpenPart}
          />
        </div>
      )
    case "todos":
      return (
        <div className={`${styles.content} ${styles.space}`}>
          <TodoRail
            key={sessionID}
            sessionID={sessionID}
            todos={todos}
            onOpenSession={onOpenSession}
            onOpenPart={onOpenPart}
          />
        </div>
      )
    case "transcript":
      return (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for focus in a row
        <div
          className={styles.content}
          onFocus={(event) => {
            const id = event.target.closest<HTMLElement>("[data-row]")?.dataset.row
            if (id !== undefined) onPoint(id)
          }}
        >
          <Transcript
            key={sessionID}
            sessionID={sessionID}
            part={place.part}
            onOpenSession={onOpenSession}
            canPrompt={false}
            addressOf={addressOf}
            onDrawn={onDrawn}
          />
        </div>
      )
  }
}
