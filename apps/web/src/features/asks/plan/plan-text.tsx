"use client"

import { useTRPC } from "@docket/client/react"
import { useQuery } from "@tanstack/react-query"
import { Markdown } from "../../markdown/markdown.tsx"
import styles from "../ask-card.module.css"

/** The plan of a session, read-only. */
export function PlanText({ sessionID }: { sessionID: string }) {
  const trpc = useTRPC()
  const written = useQuery(trpc.plan.get.queryOptions({ sessionID }, { staleTime: 0 }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.body} tabIndex={0} aria-label="The plan">
      {written.error ? <p role="alert">{written.error.message}</p> : null}
      {written.isSuccess && written.data === null ? <p>The plan’s file is gone.</p> : null}
      <Markdown text={written.data?.text ?? ""} streaming={false} />
    </section>
  )
}
