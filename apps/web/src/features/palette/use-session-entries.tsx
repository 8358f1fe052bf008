"use client"

import { useTRPC } from "@docket/client/react"
import type { SearchHit } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import { shortTitle } from "@docket/core/session-title"
import type { SpotlightActionData, SpotlightActionGroupData } from "@mantine/spotlight"
import { useQuery } from "@tanstack/react-query"
import { GitBranch, MessageSquare, TextSearch } from "lucide-react"
import { useGo } from "../../shell/use-go.ts"
import { hitHref } from "../search/hit-href.ts"
import { MarkedText } from "../search/marked-text.tsx"
import { useSearch } from "../search/use-search.ts"
import styles from "./palette.module.css"

const icon = 16
/** Sessions shown before anything is typed. */
const newest = 6

interface SessionEntries {
  groups: SpotlightActionGroupData[]
  /** The entries are still those of an earlier search. */
  late: boolean
}

/** The newest sessions; once something is typed, what is found in all of them. */
export function useSessionEntries(search: string): SessionEntries {
  const trpc = useTRPC()
  const go = useGo()
  const list = useQuery(trpc.session.list.queryOptions({ limit: newest }))
  const projects = useQuery(trpc.project.list.queryOptions())
  const found = useSearch(search)
  const nameOf = (id: string) => projects.data?.find((project) => project.id === id)?.name ?? ""
  const entry = (hit: SearchHit): SpotlightActionData => {
    const { session, part } = hit
    const isChild = session.id !== session.rootID
    const Icon = part ? TextSearch : isChild ? GitBranch : MessageSquare
    const label = part ? part.excerpt.text : shortTitle(session)
    const where = isChild ? `Subagent ${session.agent} · ${nameOf(session.projectID)}` : nameOf(session.projectID)
    return {
      id: part?.id ?? session.id,
      label,
      description: part ? `${part.role === "user" ? "Prompt" : "Answer"} in ${shortTitle(session)}` : where,
      leftSection: <Icon size={icon} aria-hidden />,
      onClick: () => go(hitHref(hit)),
      ...(part && { children: <TextHit hit={{ session, part }} /> }),
    }
  }
  if (search === "") {
    const hits = (list.data?.items ?? []).map(({ session }): SearchHit => ({ session, part: null }))
    return { groups: [{ group: "Sessions", actions: hits.map(entry) }], late: false }
  }
  const hits = found.data ?? []
  const groups = [
    { group: "Sessions", actions: hits.filter(({ part }) => part === null).map(entry) },
    { group: "In transcripts", actions: hits.filter(({ part }) => part !== null).map(entry) },
  ]
  return { groups, late: found.isPlaceholderData || found.isLoading }
}

function TextHit({ hit: { session, part } }: { hit: SearchHit & { part: NonNullable<SearchHit["part"]> } }) {
  return (
    <span className={styles.hit}>
      <TextSearch size={icon} aria-hidden className={styles.icon} />
      <span className={styles.words}>
        <span className={styles.excerpt}>
          <MarkedText {...part.excerpt} />
        </span>
        <span className={styles.where}>
          {part.role === "user" ? "Prompt" : "Answer"} in {visibleText(shortTitle(session))}
        </span>
      </span>
    </span>
  )
}
