import { noticeOf } from "@docket/core/message"
import type { EndedTask, TextPart } from "@docket/core/schema"
import { Slash } from "lucide-react"
import type { ReactNode } from "react"
import { agentHue } from "../../../theme/agent-hue.ts"
import { LinkButton } from "../../../ui/link-button.tsx"
import { plainText } from "../../../ui/plain-text.ts"
import { TextWithCode } from "../../../ui/text-with-code.tsx"
import { TaskGlyph } from "../../task/task-glyph.tsx"
import { InlineCommandResults } from "./inline-command-results.tsx"
import { addedMessage, noticeMessage } from "./notice-messages.ts"
import styles from "./rows.module.css"

interface NoticeViewProps {
  part: TextPart
  /** Renders Markdown for the current surface. */
  markdown: (text: string) => ReactNode
  /** Opens a task's session, where the surface can do so. */
  onOpenSession?: (sessionID: string) => void
}

/** A text that Docket or a client gave to the model. No state and no hooks: the share page renders it on the server. */
export function NoticeView({ part, markdown, onOpenSession }: NoticeViewProps) {
  const notice = noticeOf(part)
  if (notice?.kind === "commands" && notice.results.length > 0) {
    return <InlineCommandResults results={notice.results} markdown={markdown} />
  }
  if (notice?.kind === "command") return <CommandText part={part} markdown={markdown} />
  return (
    <>
      <p className={styles.origin}>{addedMessage(part)}</p>
      {notice?.kind === "tasks-ended" ? <p>{noticeMessage(part)}</p> : markdown(noticeMessage(part))}
      {notice?.kind === "tasks-ended"
        ? notice.tasks.map((task) => (
            <Ended key={task.number} task={task} markdown={markdown} {...(onOpenSession && { onOpenSession })} />
          ))
        : null}
    </>
  )
}

/** The result of a command, as the model read it. */
function CommandText({ part, markdown }: Pick<NoticeViewProps, "part" | "markdown">) {
  return (
    <details className={styles.ended}>
      <summary>
        <Slash size={13} aria-hidden />
        <span className={styles.endedName}>{addedMessage(part)}</span>
        <span className={styles.endedMessage}>{plainText(part.text)}</span>
      </summary>
      <div className={styles.endedText}>{markdown(part.text)}</div>
    </details>
  )
}

function Ended({ task, markdown, onOpenSession }: Omit<NoticeViewProps, "part"> & { task: EndedTask }) {
  const { sessionID } = task
  return (
    <details className={styles.ended} style={{ borderLeftColor: agentHue(task.agent) }}>
      <summary>
        <TaskGlyph state={task.state} />
        <span className={styles.endedName}>
          <TextWithCode text={task.description} />
        </span>
        <span className={styles.endedMessage}>{plainText(task.text)}</span>
      </summary>
      <div className={styles.endedText}>
        {markdown(task.text)}
        {sessionID === null || onOpenSession === undefined ? null : (
          <LinkButton onClick={() => onOpenSession(sessionID)}>Open @{task.agent}</LinkButton>
        )}
      </div>
    </details>
  )
}
