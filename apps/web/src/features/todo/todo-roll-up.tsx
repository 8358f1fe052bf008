"use client"

import { useTree, useTreeState } from "@docket/client/react"
import type { Session, Todo } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { ChevronRight } from "lucide-react"
import { agentHue } from "../../theme/agent-hue.ts"
import { LinkButton } from "../../ui/link-button.tsx"
import { todoProgress } from "./checklist-item.ts"
import board from "./todo-board.module.css"
import { TodoList } from "./todo-list.tsx"

const noSessions: Record<string, Session> = {}
const noTodos: Record<string, Todo[]> = {}

interface TodoRollUpProps {
  sessionID: string
  onOpenSession(sessionID: string): void
}

/** The todo lists of the sessions below this one, read-only. */
export function TodoRollUp({ sessionID, onOpenSession }: TodoRollUpProps) {
  const store = useTree(sessionID)
  const sessions = useTreeState(store, (view) => view.tree?.sessions ?? noSessions)
  const todos = useTreeState(store, (view) => view.tree?.todos ?? noTodos)
  const below = listsBelow(sessionID, sessions, todos)
  if (below.length === 0) return null
  return (
    <section className={board.rollUp} aria-label="Todos of subagents">
      <h2 className={board.rollUpHead}>Subagents</h2>
      {below.map(({ session, list }) => {
        const { done, total } = todoProgress(list)
        return (
          <details key={session.id} className={board.child} style={{ borderLeftColor: agentHue(session.agent) }}>
            <summary className={board.childHead}>
              <ChevronRight size={12} aria-hidden className={board.childArrow} />
              <span className={board.childName}>{shortTitle(session)}</span>
              <span className={board.childCount}>
                {done} of {total}
              </span>
            </summary>
            <div className={board.childList}>
              <TodoList todos={list} label={`Todos of ${shortTitle(session)}`} />
              <LinkButton onClick={() => onOpenSession(session.id)}>Open @{session.agent}</LinkButton>
            </div>
          </details>
        )
      })}
    </section>
  )
}

/** Sessions below this one that have a list, oldest first. */
function listsBelow(sessionID: string, sessions: Record<string, Session>, todos: Record<string, Todo[]>) {
  const isBelow = (session: Session | undefined): boolean =>
    session?.parentID != null && (session.parentID === sessionID || isBelow(sessions[session.parentID]))
  return Object.values(sessions)
    .filter((session) => (todos[session.id]?.length ?? 0) > 0 && isBelow(session))
    .sort((a, b) => a.time.created - b.time.created)
    .map((session) => ({ session, list: todos[session.id] ?? [] }))
}
