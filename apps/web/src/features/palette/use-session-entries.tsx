"use client"

import { useTRPC } from "@docket/client/react"
import type { SearchHit } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import { shortTitle } from "@docket/core/session-title"
import type { SpotlightActionData, SpotlightActionGroupData } from "@mantine/spotlight"
import { useQuery } from "@tanstack/react-query"
import { GitBranch, MessageSquare, TextSearch } from "lucide-react"
import { useGo } from "../../shell/use-go.ts"
import { PrivateLock } from "../../ui/private-lock.tsx"
import { hitHref } from "../search/hit-href.ts"
import { hitLabel } from "../search/hit-label.ts"
import { MarkedText } from "../search/marked-text.tsx"
import { useSearch } from "../search/use-search.ts"
import styles from "./palette.module.css"

const icon = 16
/** Number of sessions shown before the user types. */
const newestCount = 6

interface SessionEntries {
  groups: SpotlightActionGroupData[]
  /** The entries still belong to an earlier query. */
  late: boolean
}

/** The newest sessions; when the user types, the results of a search in all sessions. */
export function useSessionEntries(search: string): SessionEntries {
  const trpc = useTRPC()
  const go = useGo()
  const list = useQuery(trpc.session.list.queryOptions({ limit: newestCount }))
  const projects = useQuery(trpc.project.list.queryOptions())
  const found = useSearch(search)
  const nameOf = (id: string) => projects.data?.find((project) => project.id === id)?.name ?? ""
  const titleEntry = (session: SearchHit["session"]): SpotlightActionData => {
    const isChild = session.id !== session.rootID
    const Icon = isChild ? GitBranch : MessageSquare
    return {
      id: session.id,
      label: shortTitle(session),
      description: isChild ? `Subagent ${session.agent} · ${nameOf(session.projectID)}` : nameOf(session.projectID),
      leftSection: <Icon size={icon} aria-hidden />,
      rightSection: <PrivateLock session={session} />,
      onClick: () => go(hitHref({ session, part: null })),
    }
  }
  const textEntry = (hit: SearchHit): SpotlightActionData => ({
    id: hit.part?.id ?? hit.session.id,
    label: hit.excerpt.text,
    description: hitLabel(hit),
    leftSection: <TextSearch size={icon} aria-hidden />,
    onClick: () => go(hitHref(hit)),
    children: <TextHit hit={hit} />,
  })
  if (search === "") {
    const sessions = (list.data?.items ?? []).map(({ session }) => titleEntry(session))
    return { groups: [{ group: "Sessions", actions: sessions }], late: false }
  }
  const hits = found.data?.hits ?? []
  const groups = [
    { group: "Sessions", actions: hits.filter(({ part }) => part === null).map(({ session }) => titleEntry(session)) },
    { group: "In transcripts", actions: hits.filter(({ part }) => part !== null).map(textEntry) },
  ]
  return { groups, late: found.isPlaceholderData || found.isLoading }
}

function TextHit({ hit }: { hit: SearchHit }) {
  return (
    <span className={styles.hit}>
      <TextSearch size={icon} aria-hidden className={styles.icon} />
      <span className={styles.words}>
        <span className={styles.excerpt}>
          <MarkedText {...hit.excerpt} />
        </span>
        <span className={styles.where}>{visibleText(hitLabel(hit))}</span>
      </span>
    </span>
  )
}
