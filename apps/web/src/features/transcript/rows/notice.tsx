import type { ReactNode } from "react"
import { agentHue } from "../../../theme/agent-hue.ts"
import { LinkButton } from "../../../ui/link-button.tsx"
import { plainText } from "../../../ui/plain-text.ts"
import { TaskGlyph } from "../../task/task-glyph.tsx"
import type { EndedTask, Notice } from "./read-notice.ts"
import styles from "./rows.module.css"

interface NoticeViewProps {
  notice: Notice
  /** How the surface draws Markdown. */
  markdown: (text: string) => ReactNode
  /** Opens a task's session, where that is possible. */
  onOpenSession?: (sessionID: string) => void
}

/** What Docket told a model. No state and no hooks: the share page renders it on the server. */
export function NoticeView({ notice, markdown, onOpenSession }: NoticeViewProps) {
  return (
    <>
      <p className={styles.synthetic}>Added by Docket</p>
      {notice.tasks.length === 0 ? markdown(notice.words) : <p>{notice.words}</p>}
      {notice.tasks.map((task) => (
        <Ended key={task.number} task={task} markdown={markdown} {...(onOpenSession && { onOpenSession })} />
      ))}
    </>
  )
}

function Ended({ task, markdown, onOpenSession }: Omit<NoticeViewProps, "notice"> & { task: EndedTask }) {
  const { sessionID } = task
  return (
    <details className={styles.ended} style={{ borderLeftColor: agentHue(task.agent) }}>
      <summary>
        <TaskGlyph state={task.state} />
        <span className={styles.endedName}>{task.description}</span>
        <span className={styles.endedWords}>{plainText(task.text)}</span>
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
