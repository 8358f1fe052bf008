import type { Session } from "@docket/core/schema"
import { agentHue } from "../../theme/agent-hue.ts"
import { CostTokens } from "../../ui/cost-tokens.tsx"
import { formatCount } from "../../ui/format-count.ts"
import { StatusGlyph } from "../../ui/status-glyph.tsx"
import { sessionStatus } from "../tree/session-status.ts"
import { totalTokens } from "../tree/total-tokens.ts"
import styles from "./share.module.css"
import { sessionAddress } from "./share-address.ts"

interface ShareTreeProps {
  sessions: readonly Session[]
  current: string
  secret: string
}

/** All sessions of the tree as nested links, folded on top of the page. */
export function ShareTree({ sessions, current, secret }: ShareTreeProps) {
  const root = sessions.find((session) => session.parentID === null)
  if (root === undefined || sessions.length < 2) return null
  return (
    <details className={styles.tree}>
      <summary>{formatCount(sessions.length, "session")} in this tree</summary>
      <ul>
        <Branch session={root} sessions={sessions} current={current} secret={secret} />
      </ul>
    </details>
  )
}

function Branch({ session, ...props }: ShareTreeProps & { session: Session }) {
  const children = props.sessions
    .filter((candidate) => candidate.parentID === session.id)
    .sort((a, b) => a.time.created - b.time.created)
  return (
    <li>
      <a
        className={styles.branch}
        style={{ borderLeftColor: agentHue(session.agent) }}
        href={sessionAddress(props.secret, session)}
        aria-current={session.id === props.current ? "page" : undefined}
      >
        <StatusGlyph status={sessionStatus(session, null)} size={13} />
        <span className={styles.branchName}>{session.title || "Untitled"}</span>
        <span className={styles.branchFigures}>
          <CostTokens cost={session.cost} tokens={totalTokens(session.tokens)} />
        </span>
      </a>
      {children.length === 0 ? null : (
        <ul>
          {children.map((child) => (
            <Branch key={child.id} session={child} {...props} />
          ))}
        </ul>
      )}
    </li>
  )
}
