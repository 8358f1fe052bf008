import type { CommandLine, CommandResult } from "@docket/core/schema"
import { Check, X } from "lucide-react"
import type { ReactNode } from "react"
import { todoStatusLabel } from "../../todo/checklist-item.ts"
import { TodoGlyph } from "../../todo/todo-glyph.tsx"
import styles from "./inline-command-results.module.css"

interface InlineCommandResultsProps {
  results: readonly CommandResult[]
  /** Renders Markdown for the current surface. */
  markdown: (text: string) => ReactNode
}

/** The results of inline commands. No state and no hooks: the share page renders it on the server. */
export function InlineCommandResults({ results, markdown }: InlineCommandResultsProps) {
  return (
    <section className={styles.results} aria-label="Results of commands">
      {results.map((result, index) => (
        <div key={index} className={styles.result}>
          {result.command === null ? null : <code className={styles.command}>{result.command}</code>}
          <Answers result={result} markdown={markdown} />
          <Lines lines={result.lines.filter((line) => line.kind !== "answer")} />
        </div>
      ))}
    </section>
  )
}

/** The answers of subagents. A missing answer is shown as a failure with its reason. */
function Answers({
  result: { lines },
  markdown,
}: {
  result: CommandResult
  markdown: InlineCommandResultsProps["markdown"]
}) {
  const answers = lines.filter((line) => line.kind === "answer")
  return answers.map(({ agent, failed, text }, index) => (
    <div key={index}>
      {answers.length > 1 ? <p className={styles.command}>@{agent}</p> : null}
      {failed ? <Lines lines={[{ kind: "failed", text }]} /> : markdown(text)}
    </div>
  ))
}

type PlainLine = Exclude<CommandLine, { kind: "answer" }>

function Lines({ lines }: { lines: readonly PlainLine[] }) {
  if (lines.length === 0) return null
  return (
    <ul className={styles.lines}>
      {lines.map((line, index) => (
        <li key={index} className={styles[line.kind]}>
          <Line line={line} />
        </li>
      ))}
    </ul>
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function Line({ line }: { line: PlainLine }) {
  switch (line.kind) {
    case "todo":
      return (
        <>
          <TodoGlyph status={line.status} />
          <span className={styles.number}>#{line.number}</span>
          <span>{line.content}</span>
          {line.everyone ? <span className={styles.everyone}>everyone</span> : null}
        </>
      )
    case "status":
      return (
        <>
          <TodoGlyph status={line.status} />
          <span>{`${todoStatusLabel[line.status]} — ${line.content}`}</span>
        </>
      )
    case "done":
      return (
        <>
          <Check size={14} aria-hidden />
          <span>{capital(line.text)}</span>
        </>
      )
    case "failed":
    case "skipped":
      return (
        <>
          <X size={14} aria-label="Failed" role="img" />
          <span>{capital(line.text)}</span>
        </>
      )
    case "text":
      return line.text
  }
}
