import { useTree } from "@docket/client/react"
import { AgentsRail } from "../agents/agents-rail.tsx"
import { todoProgress } from "../todo/checklist-item.ts"
import { TodoList } from "../todo/todo-list.tsx"
import { useStableTreeState } from "../tree/use-stable-tree-state.ts"
import styles from "./replay.module.css"

interface ReplaySideProps {
  rootID: string
  sessionID: string
  onOpenSession(sessionID: string): void
}

/** What is shown beside the transcript: the session's todos, and the tree with its cost at that time. */
export function ReplaySide({ rootID, sessionID, onOpenSession }: ReplaySideProps) {
  const store = useTree(rootID)
  const todos = useStableTreeState(store, ({ tree }) => tree?.todos[sessionID] ?? [])
  const { done, total } = todoProgress(todos)
  return (
    <div className={styles.sideBody}>
      {total === 0 ? null : (
        <section aria-label="Todos">
          <h2 className={styles.heading}>
            Todos <span className="tabular">{`${done} of ${total}`}</span>
          </h2>
          <TodoList todos={todos} />
        </section>
      )}
      <AgentsRail rootID={rootID} current={sessionID} onOpenSession={onOpenSession} />
    </div>
  )
}
