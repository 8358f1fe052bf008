"use client"

import { useTreeState } from "@docket/client/react"
import type { Todo } from "@docket/core/schema"
import dynamic from "next/dynamic"
import { lazyPart } from "../../../ui/lazy-part.tsx"
import { loadPart } from "../../../ui/load-part.ts"
import { SideTabs } from "../../../ui/side-tabs.tsx"
import { SkeletonRows } from "../../../ui/skeleton-rows.tsx"
import { CommentCount } from "../../commenting/comment-count.tsx"
import type { Desk } from "../desk/use-desk.ts"
import type { DeskNavigation } from "../desk/use-desk-ways.ts"

const loading = () => <SkeletonRows count={4} label="Loading" />
const CommentsPanel = lazyPart(
  dynamic(() => loadPart(() => import("../../comments/comments-panel.tsx").then((it) => it.CommentsPanel))),
  { loading },
)
const TodoRail = lazyPart(
  dynamic(() => loadPart(() => import("../../todo/todo-rail.tsx").then((it) => it.TodoRail))),
  { loading },
)
const TaskFiles = lazyPart(
  dynamic(() => loadPart(() => import("./task-files.tsx").then((it) => it.TaskFiles))),
  { loading },
)
const RawPart = lazyPart(
  dynamic(() => loadPart(() => import("./raw-part.tsx").then((it) => it.RawPart))),
  { loading },
)

const tabs = { comments: "Comments", todos: "Todos", files: "Files", raw: "Raw" }
export type InspectorTab = keyof typeof tabs

interface InspectorProps {
  desk: Desk
  navigation: DeskNavigation
  tab: InspectorTab
  onTab(tab: InspectorTab): void
  /** The part or message that had focus last. */
  at: string | null
  /** The verdict bar, which sends the comments on the task, is visible. */
  besideVerdicts: boolean
}

/** The tabs beside a task's transcript. */
export function Inspector(props: InspectorProps) {
  return (
    <SideTabs
      label="About this task"
      tabs={tabs}
      value={props.tab}
      onTab={props.onTab}
      after={(tab) => (tab === "comments" ? <CommentCount id={props.desk.row?.sessionID ?? ""} /> : null)}
    >
      {(tab) => (
        <TabContent
          desk={props.desk}
          navigation={props.navigation}
          at={props.at}
          tab={tab}
          besideVerdicts={props.besideVerdicts}
        />
      )}
    </SideTabs>
  )
}

/** Placeholder of the inspector until it is loaded. */
export function InspectorSpace() {
  return (
    <SideTabs label="About this task" tabs={tabs} value="comments" onTab={() => {}}>
      {loading}
    </SideTabs>
  )
}

const noTodos: Todo[] = []

function TabContent({ desk, navigation, tab, at, besideVerdicts }: Omit<InspectorProps, "onTab">) {
  const sessionID = desk.row?.sessionID ?? ""
  const todos = useTreeState(desk.store, (view) => view.tree?.todos[sessionID] ?? noTodos)
  if (desk.row === null) return loading()
  switch (tab) {
    case "comments":
      return (
        <CommentsPanel
          rootID={desk.rootID}
          sessionID={sessionID}
          sessionSentElsewhere={besideVerdicts ? sessionID : null}
          onOpenSession={navigation.openSession}
          onOpenPart={navigation.openPart}
          onOpenDiff={navigation.openDiff}
        />
      )
    case "todos":
      return (
        <TodoRail
          key={sessionID}
          sessionID={sessionID}
          todos={todos}
          onOpenSession={navigation.openSession}
          onOpenPart={navigation.openPart}
        />
      )
    case "files":
      return (
        <TaskFiles
          rootID={desk.rootID}
          taskID={desk.task?.id ?? null}
          viewed={desk.review?.viewed ?? null}
          onOpen={navigation.openFile}
        />
      )
    case "raw":
      return <RawPart store={desk.store} sessionID={sessionID} at={at} />
  }
}
