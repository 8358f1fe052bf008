import { readChildResults, type WritResult } from "@docket/core/writ"
import { Check, X } from "lucide-react"
import type { ReactNode } from "react"
import { TodoGlyph } from "../../todo/todo-glyph.tsx"
import { type ResultLine, resultLines } from "./result-lines.ts"
import styles from "./writ-results.module.css"

interface WritResultsProps {
  results: readonly WritResult[]
  /** How the surface draws Markdown. */
  markdown: (text: string) => ReactNode
}

/** What commands came to. No state and no hooks: the share page renders it on the server. */
export function WritResults({ results, markdown }: WritResultsProps) {
  return (
    <section className={styles.results} aria-label="Results of commands">
      {results.map((result, index) => (
        <div key={index} className={styles.result}>
          {result.command === null ? null : <code className={styles.command}>{result.command}</code>}
          <Body result={result} markdown={markdown} />
        </div>
      ))}
    </section>
  )
}

function Body({ result: { command, body }, markdown }: { result: WritResult; markdown: WritResultsProps["markdown"] }) {
  const children = command?.startsWith("/parallel") ? readChildResults(body) : null
  if (children !== null) {
    return children.map((child, index) => (
      <div key={index}>
        <p className={styles.command}>@{child.agent}</p>
        <Answer body={child.body} markdown={markdown} />
      </div>
    ))
  }
  return command?.startsWith("/agent") ? <Answer body={body} markdown={markdown} /> : <Lines body={body} />
}

/** What a child said; why there is nothing is drawn as the failure that it is. */
function Answer({ body, markdown }: { body: string; markdown: WritResultsProps["markdown"] }) {
  return body.startsWith("ERR: ") ? <Lines body={body} /> : markdown(body)
}

function Lines({ body }: { body: string }) {
  const lines = resultLines(body)
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

function Line({ line }: { line: ResultLine }) {
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
    case "done":
      return (
        <>
          <Check size={14} aria-hidden />
          <span>{line.text}</span>
        </>
      )
    case "error":
      return (
        <>
          <X size={14} aria-label="Failed" role="img" />
          <span>{line.text}</span>
        </>
      )
    case "text":
      return line.text
  }
}
