"use client"

import type { Todo } from "@docket/core/schema"
import dynamic from "next/dynamic"
import { lazyPart } from "../../ui/lazy-part.tsx"
import { loadPart } from "../../ui/load-part.ts"
import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import type { DiffTarget } from "../changed-files/diff-target.ts"
import type { Panel } from "./panels.ts"

const loading = () => <SkeletonRows count={4} label="Loading" />
const TodoRail = lazyPart(
  dynamic(() => loadPart(() => import("../todo/todo-rail.tsx").then((it) => it.TodoRail))),
  { loading },
)
const AgentsPanel = lazyPart(
  dynamic(() => loadPart(() => import("../agents/agents-panel.tsx").then((it) => it.AgentsPanel))),
  { loading },
)
const FilesPanel = lazyPart(
  dynamic(() => loadPart(() => import("../changed-files/files-panel.tsx").then((it) => it.FilesPanel))),
  { loading },
)
const CommentsPanel = lazyPart(
  dynamic(() => loadPart(() => import("../comments/comments-panel.tsx").then((it) => it.CommentsPanel))),
  { loading },
)
const CostPanel = lazyPart(
  dynamic(() => loadPart(() => import("../cost/cost-panel.tsx").then((it) => it.CostPanel))),
  { loading },
)

export interface SidePanelProps {
  rootID: string
  sessionID: string
  todos: Todo[]
  onOpenSession: (sessionID: string) => void
  onOpenPart: (sessionID: string, partID: string) => void
  /** Shows diffs of changed files over the whole width. */
  onOpenDiff: (target: DiffTarget) => void
}

/** One tab of the right rail; on narrow screens it is shown in a sheet. */
export function SidePanel({ panel, ...props }: SidePanelProps & { panel: Panel }) {
  switch (panel) {
    case "todos":
      return (
        <TodoRail
          key={props.sessionID}
          sessionID={props.sessionID}
          todos={props.todos}
          onOpenSession={props.onOpenSession}
          onOpenPart={props.onOpenPart}
        />
      )
    case "agents":
      return <AgentsPanel rootID={props.rootID} current={props.sessionID} onOpenSession={props.onOpenSession} />
    case "files":
      return <FilesPanel rootID={props.rootID} onOpenDiff={props.onOpenDiff} />
    case "comments":
      return (
        <CommentsPanel
          rootID={props.rootID}
          sessionID={props.sessionID}
          onOpenSession={props.onOpenSession}
          onOpenPart={props.onOpenPart}
          onOpenDiff={props.onOpenDiff}
        />
      )
    case "cost":
      return <CostPanel rootID={props.rootID} />
  }
}
