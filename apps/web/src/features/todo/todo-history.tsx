"use client"

import { useTRPC } from "@docket/client/react"
import type { Todo, TodoChange } from "@docket/core/schema"
import { listAt } from "@docket/core/todo"
import { useQuery } from "@tanstack/react-query"
import { ChevronLeft, ChevronRight } from "lucide-react"
import { useMemo, useState } from "react"
import { Dialog } from "../../shell/dialog.tsx"
import { ErrorState } from "../../ui/error-state.tsx"
import { IconButton } from "../../ui/icon-button.tsx"
import { LinkButton } from "../../ui/link-button.tsx"
import { Initials } from "../../ui/person.tsx"
import { Range } from "../../ui/range.tsx"
import { RelativeTime } from "../../ui/relative-time.tsx"
import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import { usePeople } from "../../ui/use-people.ts"
import { todoProgress } from "./checklist-item.ts"
import { describeChange } from "./describe-change.ts"
import board from "./todo-board.module.css"
import { TodoList } from "./todo-list.tsx"

/** The slider covers at most this many changes, the newest ones. */
const limit = 1_000

interface TodoHistoryProps {
  sessionID: string
  todos: readonly Todo[]
  onClose(): void
  onOpenPart(partID: string): void
}

/** The list at any time: a slider over its changes, and who made each. */
export function TodoHistory(props: TodoHistoryProps) {
  const trpc = useTRPC()
  const history = useQuery(trpc.todo.history.queryOptions({ sessionID: props.sessionID, limit }))
  return (
    <Dialog opened onClose={props.onClose} title="History of the list" size={560}>
      {history.isPending ? (
        <SkeletonRows count={5} label="Loading the history" />
      ) : history.isLoadingError ? (
        <ErrorState title="The history cannot be loaded" message={history.error.message} />
      ) : history.data.length === 0 ? (
        <p className={board.note}>Nothing has changed yet.</p>
      ) : (
        <Scrubber changes={history.data} todos={props.todos} onOpenPart={props.onOpenPart} />
      )}
    </Dialog>
  )
}

interface ScrubberProps {
  changes: TodoChange[]
  todos: readonly Todo[]
  onOpenPart(partID: string): void
}

/** Height of one line (px): the dialog keeps the height of the current list while the slider moves. */
const lineHeight = 26

function Scrubber({ changes, todos, onOpenPart }: ScrubberProps) {
  const steps = useMemo(() => changes.toSorted((a, b) => (a.id < b.id ? -1 : 1)), [changes])
  const people = usePeople()
  /** Null follows the newest change. */
  const [chosen, setChosen] = useState<number | null>(null)
  const last = steps.length - 1
  const index = Math.min(chosen ?? last, last)
  const go = (next: number) => setChosen(next >= last ? null : Math.max(0, next))
  const change = steps[index]
  if (!change) return null
  const list = listAt(changes, [...todos], change.id)
  const { done, total } = todoProgress(list)
  const words = describeChange(change, people)
  const { partID } = change
  return (
    <div className={board.scrubber}>
      <div className={board.slide}>
        <IconButton label="Change before" disabled={index === 0} onClick={() => go(index - 1)}>
          <ChevronLeft size={15} />
        </IconButton>
        <Range
          className={board.slider ?? ""}
          aria-label="Change of the list"
          aria-valuetext={`${index + 1} of ${steps.length}: ${words}`}
          min={0}
          max={last}
          value={index}
          onChange={(event) => go(Number(event.currentTarget.value))}
        />
        <IconButton label="Change after" disabled={index === last} onClick={() => go(index + 1)}>
          <ChevronRight size={15} />
        </IconButton>
      </div>
      <p className={board.change}>
        <span>
          {change.actor.kind === "user" && change.by && !people.alone ? <Initials person={change.by} /> : null} {words}
        </span>
        <span className={board.changeMeta}>
          {index + 1} of {steps.length} · <RelativeTime time={change.at} />
          {partID === null ? null : (
            <>
              {" · "}
              <LinkButton onClick={() => onOpenPart(partID)}>Show the call</LinkButton>
            </>
          )}
        </span>
      </p>
      <div className={board.listThen} style={{ minHeight: lineHeight * (todos.length + 1) }}>
        <p className={board.note}>
          {done} of {total} done
        </p>
        <TodoList todos={list} label="The list then" marked={change.todoID} />
      </div>
    </div>
  )
}
