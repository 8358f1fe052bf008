"use client"

import { useTRPC } from "@docket/client/react"
import { visibleText } from "@docket/core/visible-text"
import { useQuery } from "@tanstack/react-query"
import { agentHue } from "../../theme/agent-hue.ts"
import { ErrorState } from "../../ui/error-state.tsx"
import { LinkButton } from "../../ui/link-button.tsx"
import panel from "../../ui/panel.module.css"
import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import { LazyDiff } from "../tools/lazy-diff.tsx"
import { DiffFigures } from "../tools/tool-header.tsx"
import { CopyPath } from "./changed-file-row.tsx"
import type { ChangedFile, TaskName } from "./changed-files.ts"
import styles from "./diff-view.module.css"
import { lackMessages } from "./lack-messages.ts"

interface FileDiffProps {
  rootID: string
  file: ChangedFile
  tasks: readonly TaskName[]
  split: boolean
  onOpenPart(sessionID: string, partID: string): void
}

/** Maximum number of steps in one request. Of a file that was changed more often, the newest steps are shown. */
const maxSteps = 200

/** What the tree's steps did to one file: one diff, or several if something else changed the file in between. */
export function FileDiff({ rootID, file, tasks, split, onOpenPart }: FileDiffProps) {
  const trpc = useTRPC()
  const steps = file.changes.slice(-maxSteps).map(({ sessionID, messageID }) => ({ sessionID, messageID }))
  const query = useQuery({
    ...trpc.changes.diff.queryOptions({ sessionID: rootID, path: file.path, steps }),
    // The changes of a step never change.
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section aria-label={file.path} className={styles.file}>
      <div className={styles.fileHead}>
        <h2 className={styles.path}>{visibleText(file.path)}</h2>
        <CopyPath path={file.path} />
        {file.lines === null ? null : <DiffFigures additions={file.lines.added} deletions={file.lines.removed} />}
      </div>
      {query.isLoadingError ? (
        <ErrorState
          title="This diff cannot be shown"
          message={query.error.message}
          onRetry={() => void query.refetch()}
        />
      ) : null}
      {query.isPending ? <SkeletonRows count={8} label="Loading the diff" /> : null}
      {(query.data ?? []).map((piece) => (
        <div key={piece.messageIDs[0]} className={styles.piece}>
          <Makers file={file} messageIDs={piece.messageIDs} tasks={tasks} onOpenPart={onOpenPart} />
          {piece.patch === null ? (
            <p className={panel.empty}>{lackMessages[piece.lack ?? "expired"]}</p>
          ) : piece.patch === "" ? (
            <p className={panel.empty}>In the end nothing is different.</p>
          ) : (
            <LazyDiff
              change={{ path: file.path, patch: piece.patch }}
              split={split}
              whole
              messageIDs={piece.messageIDs}
            />
          )}
        </div>
      ))}
    </section>
  )
}

/** Who made the changes, with links to the calls. */
function Makers({
  file,
  messageIDs,
  tasks,
  onOpenPart,
}: Pick<FileDiffProps, "file" | "tasks" | "onOpenPart"> & { messageIDs: readonly string[] }) {
  const changes = file.changes.filter(({ messageID }) => messageIDs.includes(messageID))
  return (
    <p className={styles.makers}>
      {changes.map(({ messageID, sessionID, partID, agent, taskID }) => {
        const task = tasks.find(({ id }) => id === taskID)
        const name = task === undefined ? agent : `${agent} in #${task.number} ${task.description}`
        return (
          <span key={messageID} className={styles.maker} style={{ borderLeftColor: agentHue(agent) }}>
            {partID === null ? name : <LinkButton onClick={() => onOpenPart(sessionID, partID)}>{name}</LinkButton>}
          </span>
        )
      })}
    </p>
  )
}
