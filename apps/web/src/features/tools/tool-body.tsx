import { visibleText } from "@docket/core/visible-text"
import type { ReactNode } from "react"
import { Redactions } from "../../ui/redactions.tsx"
import { TodoList } from "../todo/todo-list.tsx"
import { AskedQuestions } from "./asked-questions.tsx"
import type { ToolBody } from "./call-view.ts"
import { DiffPreview } from "./diff-preview.tsx"
import { FileList } from "./file-list.tsx"
import { JsonView } from "./json-view.tsx"
import { TaskRefs } from "./task-refs.tsx"
import { Terminal } from "./terminal.tsx"
import type { ToolView } from "./tool-view.ts"
import styles from "./tools.module.css"

/** Renderers of a surface for bodies that need more than plain markup. */
export interface ToolBodySlots {
  code: (text: string, language: string | null) => ReactNode
  diff?: (body: Extract<ToolBody, { kind: "diff" }>) => ReactNode
  terminal?: (body: Extract<ToolBody, { kind: "terminal" }>, running: boolean) => ReactNode
  plan?: (body: Extract<ToolBody, { kind: "plan" }>) => ReactNode
  task: (body: Extract<ToolBody, { kind: "task" }>) => ReactNode
}

/** Longer errors are truncated (UTF-16 units). */
const longestError = 20_000

/** The opened part of a tool card. No state and no hooks: the share page renders it on the server. */
export function ToolBodyView({ view, slots }: { view: ToolView; slots: ToolBodySlots }) {
  return (
    <>
      {view.error === null ? null : (
        <p className={styles.error}>
          <Redactions text={view.error.slice(0, longestError)} />
        </p>
      )}
      <Body view={view} slots={slots} />
      {view.notes.map(({ from, text }) => (
        <div key={`${from} ${text}`} className={styles.note}>
          <p className={styles.noteHead}>{visibleText(from)} told the agent:</p>
          <p className={styles.noteText}>
            <Redactions text={text} />
          </p>
        </div>
      ))}
    </>
  )
}

function Body({ view, slots }: { view: ToolView; slots: ToolBodySlots }) {
  const { body } = view
  switch (body.kind) {
    case "none":
      return null
    case "text":
      return slots.code(body.text, body.language)
    case "files":
      return <FileList hits={body.hits} truncated={body.truncated} />
    case "diff":
      return slots.diff ? slots.diff(body) : <DiffPreview patch={body.change.patch ?? ""} />
    case "diffs":
      return <DiffPreview patch={body.changes.flatMap(({ patch }) => patch ?? []).join("\n")} />
    case "terminal": {
      const running = view.status === "running"
      return slots.terminal ? slots.terminal(body, running) : <Terminal {...body} running={running} />
    }
    case "todos":
      return <TodoList todos={body.todos} />
    case "tasks":
      return (
        <>
          <TaskRefs tasks={body.tasks} />
          {body.text ? slots.code(body.text, null) : null}
        </>
      )
    case "task":
      return slots.task(body)
    case "plan":
      return (
        <>
          {body.comments === null ? null : slots.code(body.comments, null)}
          {slots.plan ? slots.plan(body) : slots.code(body.text, "md")}
        </>
      )
    case "questions":
      return <AskedQuestions {...body} />
    case "json":
      return <JsonView input={body.input} output={body.output} />
  }
}
