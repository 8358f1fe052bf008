import type { SharedTree } from "@docket/client/pages"
import type { Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { formatCost, formatTokens, totalTokens, treeUsage } from "@docket/core/usage"
import { workSpan } from "@docket/core/work-span"
import type { ReactNode } from "react"
import { Elapsed } from "../../ui/elapsed.tsx"
import { formatDay } from "../../ui/format.ts"
import { formatCount } from "../../ui/format-count.ts"
import { Redactions } from "../../ui/redactions.tsx"
import { frozenAt } from "./frozen-at.ts"
import styles from "./share.module.css"
import { sessionAddress } from "./share-address.ts"
import { ShareTime } from "./share-time.tsx"

interface ShareHeadProps {
  shared: SharedTree
  session: Session
  secret: string
  /** When the page was rendered (epoch ms). */
  asOf: number
  compact: boolean
}

/** The page's header: about the whole tree at the root, or about one delegated session. */
export function ShareHead({ shared, session, secret, asOf, compact }: ShareHeadProps) {
  const isRoot = session.parentID === null
  const parent = shared.tree.sessions.find((candidate) => candidate.id === session.parentID)
  const { summary, share } = shared
  const children = shared.tree.sessions.length - 1
  const { start, end } = workSpan(isRoot ? shared.tree.sessions : [session])
  const usage = treeUsage(shared.tree.sessions).subtree(session.id)
  const models = isRoot ? summary.models.map((model) => model.modelID).join(", ") : session.model?.modelID
  return (
    <header className={styles.head}>
      <p className={styles.stamp} data-stamp data-mode={share.mode}>
        {compact ? <a href={sessionAddress(secret, session)}>Open in Docket</a> : <span>Shared session</span>}
        {share.mode === "frozen" ? (
          <span className={styles.state}>
            <span>
              Frozen at <ShareTime time={share.time.created} day />
            </span>
          </span>
        ) : (
          <span className={styles.state}>
            <span>
              As of <ShareTime time={asOf} day />, live
            </span>
          </span>
        )}
      </p>
      {parent ? (
        <p className={styles.parent}>
          <a href={sessionAddress(secret, parent)}>
            ← <Redactions text={shortTitle(parent)} />
          </a>
        </p>
      ) : null}
      <h1>
        <Redactions text={shortTitle(session)} />
      </h1>
      <dl className={styles.facts}>
        {share.author === null ? null : <Fact name="Author" value={share.author} />}
        <Fact name="Agent" value={session.agent} />
        {models ? <Fact name="Model" value={models} /> : null}
        <Fact name="Started" value={formatDay(session.time.created, "UTC")} />
        <Fact name="Took" value={<Elapsed start={start} end={end ?? frozenAt(shared)} />} />
        <Fact name="Tokens" value={formatTokens(totalTokens(usage.tokens))} />
        {usage.cost > 0 ? <Fact name="Cost" value={formatCost(usage.cost)} /> : null}
        {isRoot && children > 0 ? <Fact name="Delegated" value={formatCount(children, "task")} /> : null}
      </dl>
    </header>
  )
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
