"use client"

import { useTranscript } from "@docket/client/react"
import { CostTokens } from "../../ui/cost-tokens.tsx"
import { formatCount } from "../../ui/format-count.ts"
import panel from "../../ui/panel.module.css"
import { statusLabel } from "../../ui/status.ts"
import { StatusGlyph } from "../../ui/status-glyph.tsx"
import { CommentCount } from "../commenting/comment-count.tsx"
import { ViewerMarks } from "../presence/viewer-marks.tsx"
import { RetryNote } from "../task/retry-note.tsx"
import { TaskClock } from "../task/task-clock.tsx"
import { SessionTree } from "../tree/session-tree.tsx"
import type { AgentNode } from "./agent-nodes.ts"
import styles from "./agents.module.css"
import { useAgentNodes } from "./use-agent-nodes.ts"

interface AgentsRailProps {
  rootID: string
  /** The session on screen. */
  current: string
  onOpenSession(sessionID: string): void
}

/** Every session of the tree, live: its agent, current activity, duration and cost. */
export function AgentsRail({ rootID, current, onOpenSession }: AgentsRailProps) {
  const store = useTranscript(rootID)
  const { nodes, totals } = useAgentNodes(store)
  return (
    <section className={panel.panel} aria-label="Agents">
      <SessionTree
        label="Agents of this session"
        rootID={rootID}
        nodes={nodes}
        current={current}
        onOpen={onOpenSession}
        spokenName={spokenName}
        before={({ status }) => (status === null ? null : <StatusGlyph status={status} size={13} />)}
        after={(node) => (
          <>
            <ViewerMarks sessionID={node.id} />
            <CommentCount id={node.id} />
            {node.times === null ? null : (
              <span className={styles.figures}>
                <TaskClock times={node.times} short />
              </span>
            )}
          </>
        )}
        detail={(node) => <AgentDetail node={node} />}
      />
      <p className={panel.totals}>
        <span>
          {formatCount(totals.sessions, "session")}
          {totals.running > 0 ? `, ${totals.running} running` : ""}
        </span>
        <CostTokens cost={totals.cost} tokens={totals.tokens} />
      </p>
    </section>
  )
}

function AgentDetail({ node }: { node: AgentNode }) {
  return (
    <>
      <span className={styles.activity}>
        {node.status === "needs" ? (
          "Waits for an answer"
        ) : node.status === "away" ? (
          "Waits for a host"
        ) : node.retry === null ? (
          (node.current ?? `@${node.agent}`)
        ) : (
          <RetryNote status={node.retry} />
        )}
      </span>
      <CostTokens cost={node.cost} tokens={node.tokens} />
    </>
  )
}

function spokenName(node: AgentNode): string {
  return `${node.title || "Untitled"}, ${node.agent}${node.status === null ? "" : `, ${statusLabel[node.status]}`}`
}
