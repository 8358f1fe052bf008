import { sentStore, type TreeSeed, treeFromSeed } from "@docket/client"
import type { SessionStatus } from "@docket/core/schema"
import type { TreeState } from "@docket/core/tree"
import { findWaiting } from "../../tree/find-waiting.ts"
import { layOutRows } from "../lay-out-rows.ts"
import { isWaiting } from "../rows/is-waiting.ts"
import { TaskStoreContext } from "../rows/live-task.ts"
import { showsPart } from "../rows/row.ts"
import { type TranscriptActions, TranscriptActionsContext } from "../rows/transcript-actions.ts"
import styles from "../transcript.module.css"
import { TranscriptRow } from "../transcript-row.tsx"
import { firstScript } from "./first-script.ts"

export interface FirstRowsProps {
  seed: TreeSeed
  sessionID: string
  part: string | null
}

const noneOpen: ReadonlyMap<string, boolean> = new Map()
const idle: SessionStatus = { type: "idle" }
const nothing = () => {}

/** The rows that are sent with the page. They are rendered only on the server, by the components of the live list. */
export function FirstRows({ seed, sessionID, part }: FirstRowsProps) {
  const { tree } = treeFromSeed(seed)
  return (
    <div className={styles.firstScroller} data-rows="">
      <TaskStoreContext value={sentStore(tree)}>
        <TranscriptActionsContext value={stillActions(tree, sessionID)}>
          <Feed tree={tree} sessionID={sessionID} part={part} />
        </TranscriptActionsContext>
      </TaskStoreContext>
    </div>
  )
}

/** The script that scrolls the server-rendered rows to their position. */
export function FirstScript({ nonce }: { nonce: string | undefined }) {
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: firstScript }} />
}

function Feed({ tree, sessionID, part }: { tree: TreeState; sessionID: string; part: string | null }) {
  const window = tree.transcripts[sessionID]
  const session = tree.sessions[sessionID]
  if (window === undefined || session === undefined) return null
  const status = session.status ?? idle
  const waiting = findWaiting(tree.permissions, tree.sessions)
  const options = { hidden: session.revert, busy: status.type !== "idle", open: noneOpen, part, waiting }
  const { shown } = layOutRows(window, options)
  return (
    <div role="feed" aria-label={`Transcript of ${session.title}`} aria-busy className={styles.firstFeed}>
      {shown.map((row, index) => (
        <TranscriptRow
          key={row.key}
          row={row}
          index={index}
          position={window.before === null ? index + 1 : null}
          setSize={window.before === null && window.after === null ? shown.length : -1}
          open={undefined}
          waiting={isWaiting(row, waiting)}
          status={row.kind === "retry" ? status : null}
          linked={part !== null && showsPart(row, part)}
          undone={false}
          tabStop={index === shown.length - 1}
          measure={nothing}
          onFocus={nothing}
        />
      ))}
    </div>
  )
}

/**
 * Actions of the server-rendered rows. Their buttons are visible but do nothing: a press is repeated in the live list.
 */
function stillActions(tree: TreeState, sessionID: string): TranscriptActions {
  const isChild = tree.sessions[sessionID]?.parentID !== null
  return {
    setOpen: nothing,
    addressOf: () => "",
    openSession: nothing,
    retry: isChild ? null : nothing,
    isChild,
    undo: isChild ? null : nothing,
    undoStep: isChild ? null : nothing,
    fork: isChild ? null : nothing,
  }
}
