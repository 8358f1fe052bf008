"use client"

import { sentStore, type TreeSeed, type TreeStore, treeFromSeed } from "@docket/client"
import { useTree, useTreeState } from "@docket/client/react"
import { programOfModel } from "@docket/core/program-of-model"
import type { Session, ToolPart } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { totalTokens, treeUsage } from "@docket/core/usage"
import { newestTasks } from "@docket/core/work-status"
import { useMemo } from "react"
import { agentHue } from "../../theme/agent-hue.ts"
import { CostTokens } from "../../ui/cost-tokens.tsx"
import { StatusGlyph } from "../../ui/status-glyph.tsx"
import heading from "../../ui/task-heading.module.css"
import { TextWithCode } from "../../ui/text-with-code.tsx"
import { TaskClock } from "../task/task-clock.tsx"
import { hasEnded } from "../task/task-state.ts"
import { readTask, type TaskView } from "../tools/read-task.ts"
import { withLiveTask } from "../tools/with-live-task.ts"
import { useSessionStatuses } from "../tree/use-session-statuses.ts"
import { BriefAndResult } from "./brief-and-result.tsx"
import styles from "./child.module.css"
import { BriefAndResultSpace, ChildHeaderSpace } from "./child-header-space.tsx"
import { useOriginTask } from "./use-origin-task.ts"

const noSessions: Record<string, Session> = {}

interface ChildHeaderProps {
  sessionID: string
  /** What the page brought along: the tree, and the call that started this child, whose end may be missing. */
  sent: { seed: TreeSeed; asked: ToolPart | null } | null
}

/** The header of a child session: its brief and its result. */
export function ChildHeader({ sessionID, sent }: ChildHeaderProps) {
  const store = useShown(useTree(sessionID), sent?.seed ?? null)
  const sessions = useTreeState(store, (view) => view.tree?.sessions ?? noSessions)
  const session = sessions[sessionID]
  const { part, pending } = useOriginTask(store, session, sent?.asked ?? null)
  const newest = useTreeState(
    store,
    (view) => newestTasks(Object.values(view.tree?.tasks ?? {})).get(sessionID) ?? null,
  )
  const status = useSessionStatuses(store).get(sessionID) ?? null
  const usage = useMemo(() => treeUsage(Object.values(sessions)).subtree(sessionID), [sessions, sessionID])
  if (!session) return <ChildHeaderSpace />
  const program = programOfModel(session.model ?? null)
  const calledTask = part && readTask(part)
  // The task record has a shortened result; if a call waited for it, that call has the whole.
  const wholeResult = part !== null && newest?.partID === part.id ? (calledTask?.result ?? null) : null
  const task = calledTask && withLiveTask(calledTask, newest && { ...newest, result: wholeResult ?? newest.result })
  return (
    <header className={styles.header} style={{ borderLeftColor: agentHue(session.agent) }}>
      <div className={heading.title}>
        {status === null ? null : <StatusGlyph status={status} />}
        <h1>
          <TextWithCode text={calledTask?.description ?? shortTitle(session)} />
        </h1>
        <span className={heading.agent}>@{session.agent}</span>
        {program === null ? null : <span className={heading.agent}>runs {program}</span>}
        <span className={heading.figures}>
          {task?.times ? <TaskClock times={task.times} /> : null}
          <CostTokens cost={usage.cost} tokens={totalTokens(usage.tokens)} />
        </span>
      </div>
      {task ? (
        <BriefAndResult prompt={task.prompt} result={resultOf(task)} pending={pendingMessage(task)} />
      ) : pending ? (
        <BriefAndResultSpace />
      ) : null}
    </header>
  )
}

/** The tree that the page brought along, until the live tree is loaded. */
function useShown(live: TreeStore, seed: TreeSeed | null): TreeStore {
  const isLoaded = useTreeState(live, ({ tree }) => tree !== null)
  return useMemo(() => (isLoaded || seed === null ? live : sentStore(treeFromSeed(seed).tree)), [live, isLoaded, seed])
}

/** Why there is no result. */
function pendingMessage({ state }: TaskView): string {
  return hasEnded(state) ? "Stopped before it returned." : "Not yet."
}

function resultOf({ state, result }: TaskView): string | null {
  return state === "failed" ? "The task failed; the transcript says why." : result
}
