"use client"

import { useTRPC } from "@docket/client/react"
import { localPerson } from "@docket/core/local-person"
import { listMark } from "@docket/core/marks"
import type { Project } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import type { SessionListItem } from "@docket/core/store"
import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { useState } from "react"
import { lastProject } from "../../../shell/last-project.ts"
import { CostTokens } from "../../../ui/cost-tokens.tsx"
import { ErrorState } from "../../../ui/error-state.tsx"
import { formatCount } from "../../../ui/format-count.ts"
import { RelativeTime } from "../../../ui/relative-time.tsx"
import { SkeletonRows } from "../../../ui/skeleton-rows.tsx"
import { StatusGlyph } from "../../../ui/status-glyph.tsx"
import styles from "./inbox.module.css"
import { inboxSections } from "./inbox-sections.ts"
import { OpenFirst, StartFrame } from "./start-frame.tsx"
import { StartGuide } from "./start-guide.tsx"
import { useSuggested } from "./use-suggested.ts"

/** What waits for a person, what runs, and what happened last; under it, where to ask for something new. */
export function Inbox() {
  const trpc = useTRPC()
  const list = useQuery(trpc.session.list.queryOptions({ limit: 50 }))
  const projects = useQuery(trpc.project.list.queryOptions())
  const [chosen, setChosen] = useState<string | null>(null)
  const { suggest, restoring } = useSuggested()
  return (
    <StartFrame title="Inbox" projects={projects.data} chosen={chosen} onChoose={setChosen} restoring={restoring}>
      {list.isLoadingError ? (
        <ErrorState
          title="The inbox cannot be loaded"
          message={list.error.message}
          onRetry={() => void list.refetch()}
        />
      ) : list.data === undefined || projects.isPending ? (
        <SkeletonRows count={6} height={52} label="Loading the inbox" />
      ) : (
        <Lists items={list.data.items} projects={projects.data ?? []} chosen={chosen} onTry={suggest} />
      )}
    </StartFrame>
  )
}

interface ListsProps {
  items: SessionListItem[]
  projects: Project[]
  chosen: string | null
  onTry: (prompt: string) => void
}

function Lists({ items, projects, chosen, onTry }: ListsProps) {
  const project = projects.find(({ id }) => id === chosen) ?? lastProject(projects)
  if (!project) return <OpenFirst />
  if (items.length === 0) return <StartGuide project={project} first onTry={onTry} />
  const { needsYou, running, recent } = inboxSections(items)
  const nameOf = (id: string) => projects.find((project) => project.id === id)?.name ?? ""
  return (
    <>
      <Section title="Needs you" items={needsYou} nameOf={nameOf} />
      <Section title="Running" items={running} nameOf={nameOf} />
      <Section title="Recent" items={recent} nameOf={nameOf} />
    </>
  )
}

function Section(props: { title: string; items: SessionListItem[]; nameOf: (projectID: string) => string }) {
  if (props.items.length === 0) return null
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>
        {props.title} <span className="tabular">{props.items.length}</span>
      </h2>
      <ul>
        {props.items.map((item) => (
          <Row key={item.session.id} item={item} project={props.nameOf(item.session.projectID)} />
        ))}
      </ul>
    </section>
  )
}

function Row({ item, project }: { item: SessionListItem; project: string }) {
  const mark = listMark(item, localPerson)
  return (
    <li>
      <Link href={`/s/${item.session.id}`} className={styles.row}>
        {mark === null ? <span className={styles.noMark} /> : <StatusGlyph status={mark} size={16} />}
        <span className={styles.text}>
          <span className={styles.title}>{shortTitle(item.session)}</span>
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
  return (
    <>
      {item.needsYou > 0 ? ` · ${formatCount(item.needsYou, "request")}` : ""}
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
