import type { Session } from "@docket/core/schema"
import { readTask } from "../tools/read-task.ts"
import { findTaskPart } from "../tree/find-task-part.ts"
import { clipText } from "./clip-text.ts"
import { MarkdownHtml } from "./html.tsx"
import { readSharedMessages } from "./read-share.ts"
import styles from "./share.module.css"

/** Longer briefs and results are truncated; the transcript has the full text (UTF-16 units). */
const shownText = 6_000

/** The brief and the result of a delegated session. */
export async function ShareBrief({ session, secret }: { session: Session; secret: string }) {
  if (session.parentID === null || session.origin === null) return null
  const page = await readSharedMessages(secret, {
    sessionID: session.parentID,
    around: session.origin.messageID,
    limit: 2,
  })
  if (page === null) return null
  const part = findTaskPart(session, { [session.parentID]: { messages: page.items, before: null, after: null } })
  if (part === null) return null
  const task = readTask(part)
  return (
    <div>
      {task.prompt === null ? null : <Box title="Brief" text={task.prompt} />}
      {task.result === null ? null : <Box title="Result" text={task.result} />}
    </div>
  )
}

function Box({ title, text }: { title: string; text: string }) {
  return (
    <details className={styles.box}>
      <summary>{title}</summary>
      <MarkdownHtml text={clipText(text, shownText)} />
    </details>
  )
}
