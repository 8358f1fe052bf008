import type { ToolPart } from "@docket/core/schema"
import { Lock } from "lucide-react"
import { endOfAnsi } from "../tools/ansi-pieces.ts"
import type { ToolBody } from "../tools/call-view.ts"
import { DiffPreview } from "../tools/diff-preview.tsx"
import { FileFigures } from "../tools/file-figure.tsx"
import { returnedFiles } from "../tools/shown-file.ts"
import task from "../tools/task.module.css"
import { TaskLines } from "../tools/task-lines.tsx"
import { ToolBodyView } from "../tools/tool-body.tsx"
import { ToolHeader } from "../tools/tool-header.tsx"
import { type ToolView, toolView } from "../tools/tool-view.ts"
import styles from "../tools/tools.module.css"
import { clipText } from "./clip-text.ts"
import { shownDiffLines } from "./elements-of.ts"
import { CodeHtml } from "./html.tsx"
import { childAddress, sharedFileAddress } from "./share-address.ts"

/** Longer results are truncated on a public page (UTF-16 units). */
const shownText = 2_500
/** Longer lists of files are truncated. */
const shownHits = 40

interface SharedToolProps {
  part: ToolPart
  secret: string
  /** The address points to this call. */
  linked: boolean
}

/** A tool call on a public page: the app's card, which opens without a script. */
export function SharedTool({ part, secret, linked }: SharedToolProps) {
  const view = clipped(toolView(part))
  if (isLocked(part)) {
    return (
      <div className={styles.card}>
        <div className={styles.header}>
          <Lock size={13} aria-hidden />
          <span className={styles.fact}>A task that is not shared</span>
        </div>
      </div>
    )
  }
  if (view.body.kind === "task") {
    const { sessionID } = view.body.task
    const lines = <TaskLines task={view.body.task} />
    if (sessionID === null) return <div className={task.card}>{lines}</div>
    return (
      <a className={task.card} href={childAddress(secret, sessionID)}>
        {lines}
      </a>
    )
  }
  const returned = returnedFiles(part, sharedFileAddress(secret))
  const files =
    returned.length === 0 ? null : (
      <div className={styles.returned}>
        <FileFigures files={returned} />
      </div>
    )
  // Todos are shown once, above the transcript; the header describes what this call changed.
  const hasNoBody = view.body.kind === "none" || view.body.kind === "todos"
  if (view.error === null && hasNoBody && view.notes.length === 0) {
    return (
      <div className={styles.card}>
        <div className={styles.header}>
          <ToolHeader view={view} />
        </div>
        {files}
      </div>
    )
  }
  return (
    <>
      <details className={styles.card} open={view.open || linked}>
        <summary className={styles.header}>
          <ToolHeader view={view} />
        </summary>
        <div className={styles.body}>
          <ToolBodyView
            view={view}
            slots={{
              // Highlighted code needs an element per token: too many for a closed card.
              code: (text, language) => <CodeHtml text={text} language={view.open ? language : null} />,
              diff: ({ change }) => <DiffPreview patch={change.patch ?? ""} limit={shownDiffLines} />,
              task: () => null,
            }}
          />
        </div>
      </details>
      {files}
    </>
  )
}

/** A call of a task that is not shared. The copy contains nothing else of it. */
function isLocked({ state: { input } }: ToolPart): boolean {
  return typeof input === "object" && input !== null && "locked" in input && input.locked === true
}

function clipped(view: ToolView): ToolView {
  const notes = view.notes.map(({ from, text }) => ({ from, text: clipText(text, shownText) }))
  return { ...view, error: view.error && clipText(view.error, shownText), body: clippedBody(view.body), notes }
}

function clippedBody(body: ToolBody): ToolBody {
  switch (body.kind) {
    case "tasks":
      return { ...body, text: body.text && clipText(body.text, shownText) }
    case "text":
      return { ...body, text: clipText(body.text, shownText) }
    case "plan":
      return { ...body, text: clipText(body.text, shownText), comments: null }
    case "terminal": {
      const cut = body.output.length > shownText
      return cut ? { ...body, output: endOfAnsi(body.output, shownText), truncated: true } : body
    }
    case "files":
      return body.hits.length > shownHits ? { ...body, hits: body.hits.slice(0, shownHits), truncated: true } : body
    case "json": {
      const input = typeof body.input === "string" ? body.input : JSON.stringify(body.input ?? null, null, 2)
      return {
        kind: "json",
        input: clipText(input, shownText),
        output: body.output && clipText(body.output, shownText),
      }
    }
    default:
      return body
  }
}
