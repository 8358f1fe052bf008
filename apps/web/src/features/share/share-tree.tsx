import type { Session, TaskSummary } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { type TreeUsage, totalTokens, treeUsage } from "@docket/core/usage"
import { treeStatuses, type WorkStatus } from "@docket/core/work-status"
import { Lock } from "lucide-react"
import { agentHue } from "../../theme/agent-hue.ts"
import { CostTokens } from "../../ui/cost-tokens.tsx"
import { formatCount } from "../../ui/format-count.ts"
import { Redactions } from "../../ui/redactions.tsx"
import { StatusGlyph } from "../../ui/status-glyph.tsx"
import styles from "./share.module.css"
import { sessionAddress } from "./share-address.ts"

interface ShareTreeProps {
  sessions: readonly Session[]
  /** Child sessions that are not shared. */
  locked: readonly { id: string; parentID: string }[]
  tasks: readonly TaskSummary[]
  current: string
  secret: string
}

/** All sessions of the tree as nested links, folded at the top of the page. */
export function ShareTree({ sessions, locked, tasks, current, secret }: ShareTreeProps) {
  const root = sessions.find((session) => session.parentID === null)
  const count = sessions.length + locked.length
  if (root === undefined || count < 2) return null
  return (
    <details className={styles.tree}>
      <summary>
        {formatCount(count, "session")} in this tree
        {locked.length === 0 ? "" : `, ${locked.length} not shared`}
      </summary>
      <ul>
        <Branch
          session={root}
          sessions={sessions}
          locked={locked}
          tasks={tasks}
          usage={treeUsage(sessions)}
          statuses={treeStatuses({ sessions, permissions: [], tasks })}
          current={current}
          secret={secret}
        />
      </ul>
    </details>
  )
}

function Branch({
  session,
  ...props
}: ShareTreeProps & { session: Session; usage: TreeUsage; statuses: ReadonlyMap<string, WorkStatus | null> }) {
  const status = props.statuses.get(session.id)
  const used = props.usage.subtree(session.id)
  const children = props.sessions
    .filter((candidate) => candidate.parentID === session.id)
    .sort((a, b) => a.time.created - b.time.created)
  const locked = props.locked.filter(({ parentID }) => parentID === session.id)
  return (
    <li>
      <a
        className={styles.branch}
        style={{ borderLeftColor: agentHue(session.agent) }}
        href={sessionAddress(props.secret, session)}
        aria-current={session.id === props.current ? "page" : undefined}
      >
        {status ? <StatusGlyph status={status} size={13} /> : null}
        <span className={styles.branchName}>
          <Redactions text={shortTitle(session)} />
        </span>
        <span className={styles.branchFigures}>
          <CostTokens cost={used.cost} tokens={totalTokens(used.tokens)} />
        </span>
      </a>
      {children.length + locked.length === 0 ? null : (
        <ul>
          {children.map((child) => (
            <Branch key={child.id} session={child} {...props} />
          ))}
          {locked.map(({ id }) => (
            <li key={id} className={styles.branch} data-locked>
              <Lock size={13} aria-hidden />
              <span className={styles.branchName}>Not shared</span>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
