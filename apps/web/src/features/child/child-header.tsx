"use client"

import { useTree, useTreeState } from "@docket/client/react"
import { newestTasks } from "@docket/core/marks"
import type { Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { totalTokens, treeUsage } from "@docket/core/usage"
import { useMemo, useState } from "react"
import { agentHue } from "../../theme/agent-hue.ts"
import { CostTokens } from "../../ui/cost-tokens.tsx"
import { Elapsed } from "../../ui/elapsed.tsx"
import { LinkButton } from "../../ui/link-button.tsx"
import { StatusGlyph } from "../../ui/status-glyph.tsx"
import { Words } from "../../ui/words.tsx"
import { Markdown } from "../markdown/markdown.tsx"
import { hasEnded } from "../task/task-state.ts"
import { LongMarkdown } from "../tools/long-markdown.tsx"
import { readTask, type TaskView } from "../tools/read-task.ts"
import { answerLines } from "../tools/shown-lines.ts"
import { withLiveTask } from "../tools/with-live-task.ts"
import { useMarks } from "../tree/use-marks.ts"
import styles from "./child.module.css"
import { BriefAndResultSpace, ChildHeaderSpace } from "./child-header-space.tsx"
import { useOriginTask } from "./use-origin-task.ts"

const noSessions: Record<string, Session> = {}

/** The head of a child session: what it was asked, and what it returned. */
export function ChildHeader({ sessionID }: { sessionID: string }) {
  const store = useTree(sessionID)
  const sessions = useTreeState(store, (view) => view.tree?.sessions ?? noSessions)
  const session = sessions[sessionID]
  const { part, pending } = useOriginTask(store, session)
  const newest = useTreeState(
    store,
    (view) => newestTasks(Object.values(view.tree?.tasks ?? {})).get(sessionID) ?? null,
  )
  const mark = useMarks(store).get(sessionID) ?? null
  const usage = useMemo(() => treeUsage(Object.values(sessions)).subtree(sessionID), [sessions, sessionID])
  if (!session) return <ChildHeaderSpace />
  const asked = part && readTask(part)
  // The record's answer is cut, the one of the call that waited for it is whole.
  const whole = part !== null && newest?.partID === part.id ? (asked?.result ?? null) : null
  const task = asked && withLiveTask(asked, newest && { ...newest, result: whole ?? newest.result })
  return (
    <header className={styles.header} style={{ borderLeftColor: agentHue(session.agent) }}>
      <div className={styles.title}>
        {mark === null ? null : <StatusGlyph status={mark} />}
        <h1>
          <Words text={asked?.description ?? shortTitle(session)} />
        </h1>
        <span className={styles.agent}>@{session.agent}</span>
        <span className={styles.figures}>
          {task && task.startedAt !== null ? (
            <Elapsed
              start={task.startedAt}
              end={session.status.type === "idle" ? task.startedAt + (task.elapsed ?? 0) : null}
            />
          ) : null}
          <CostTokens cost={usage.cost} tokens={totalTokens(usage.tokens)} />
        </span>
      </div>
      {task ? <BriefAndResult task={task} /> : pending ? <BriefAndResultSpace /> : null}
    </header>
  )
}

/** What the child was told and what it returned, folded to a few lines each. */
function BriefAndResult({ task }: { task: TaskView }) {
  const result = task.state === "failed" ? "The task failed; the transcript says why." : task.result
  return (
    <div className={styles.pair}>
      {task.prompt === null ? null : <Folded title="Brief" text={task.prompt} />}
      {result === null ? (
        <section className={styles.box}>
          <h2>Result</h2>
          <p className={styles.pending}>{hasEnded(task.state) ? "Stopped before it returned." : "Not yet."}</p>
        </section>
      ) : (
        <Folded title="Result" text={result} />
      )}
    </div>
  )
}

/** Texts up to this length are shown whole (UTF-16 units). */
const short = 240
/** More than is seen of a folded text (UTF-16 units). */
const beginning = 1_000

function Folded({ title, text }: { title: string; text: string }) {
  const [open, setOpen] = useState(false)
  const folds = text.length > short || text.split("\n").length > 3
  return (
    <section className={styles.box}>
      <h2>{title}</h2>
      <div className={styles.text} data-folded={folds && !open}>
        {open ? (
          <LongMarkdown text={text} noun={title.toLowerCase()} shown={answerLines} />
        ) : (
          <Markdown text={folds ? text.slice(0, beginning) : text} streaming={false} />
        )}
      </div>
      {folds ? (
        <LinkButton aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Show less" : "Show all"}
          <span className="visually-hidden"> of the {title.toLowerCase()}</span>
        </LinkButton>
      ) : null}
    </section>
  )
}
