"use client"

import type { SessionListItem } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { listStatus } from "@docket/core/work-status"
import Link from "next/link"
import { useAwaitedHost } from "../../../shell/awaited-trees.ts"
import { useMe } from "../../../shell/me.tsx"
import { CostTokens } from "../../../ui/cost-tokens.tsx"
import { formatCount } from "../../../ui/format-count.ts"
import { PrivateLock } from "../../../ui/private-lock.tsx"
import { RelativeTime } from "../../../ui/relative-time.tsx"
import { StatusGlyph } from "../../../ui/status-glyph.tsx"
import styles from "./inbox.module.css"

/** A session in the inbox, with the status and usage of its tree. */
export function SessionRow({ item, project }: { item: SessionListItem; project: string }) {
  const status = listStatus(item, useMe().person, useAwaitedHost(item.session.id) !== null)
  return (
    <li>
      <Link href={`/s/${item.session.id}`} className={styles.row}>
        {status === null ? <span className={styles.noMark} /> : <StatusGlyph status={status} size={16} />}
        <span className={styles.text}>
          <span className={styles.titleLine}>
            <span className={styles.title}>{shortTitle(item.session)}</span>
            <PrivateLock session={item.session} />
          </span>
          <span className={styles.meta}>
            {project}
            <Detail item={item} />
          </span>
        </span>
        <span className={styles.time}>
          <RelativeTime time={item.session.time.updated} />
        </span>
      </Link>
    </li>
  )
}

function Detail({ item }: { item: SessionListItem }) {
  const requests = item.needsYou - item.reviews
  return (
    <>
      {requests > 0 ? ` · ${formatCount(requests, "request")}` : ""}
      {item.reviews > 0 ? ` · ${formatCount(item.reviews, "review")}` : ""}
      {item.children > 0 ? ` · ${formatCount(item.children, "subagent")}` : ""}
      {item.treeTokens > 0 ? (
        <>
          {" · "}
          <CostTokens cost={item.treeCost} tokens={item.treeTokens} />
        </>
      ) : null}
    </>
  )
}
