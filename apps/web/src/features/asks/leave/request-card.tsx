"use client"

import { actPieces, actText } from "@docket/core/rule"
import type { PermissionRequest } from "@docket/core/schema"
import { type ReactNode, useEffect, useId } from "react"
import { useAnnounce } from "../../../shell/announcer.tsx"
import styles from "../ask-card.module.css"
import type { RequestDescription } from "../describe-request.ts"
import { RequestActions } from "./request-actions.tsx"
import { RequestBody } from "./request-body.tsx"
import { useReply } from "./use-reply.ts"

interface RequestCardProps {
  request: PermissionRequest
  shown: RequestDescription
  /** Position among the open requests, e.g. "1 of 4"; null for a single request. */
  place: string | null
  /** The list of the other open requests. */
  children: ReactNode
}

/** One request: what would happen, for which task, the reason, and the answer buttons. */
export function RequestCard({ request, shown, place, children }: RequestCardProps) {
  const { agent, path } = shown
  const announce = useAnnounce()
  const heading = useId()
  const reply = useReply(request, path.length > 0)
  const sentence = `${agent} wants to ${actText(shown)}`

  useEffect(() => announce(`Permission: ${sentence}`), [announce, sentence])

  return (
    <section className={styles.card} aria-labelledby={heading} data-permission={request.id}>
      <header className={styles.head}>
        <h2 id={heading}>
          {agent} wants to{" "}
          {actPieces(shown).map(({ text, isName }, index) =>
            // Pieces of a sentence have no identity except their position.
            isName ? <code key={String(index)}>{text}</code> : text,
          )}
        </h2>
        {place === null ? null : <span className={styles.place}>{place}</span>}
      </header>
      {children}
      <RequestBody shown={shown} />
      <RequestActions request={request} reply={reply} isOfTask={path.length > 0} />
    </section>
  )
}
