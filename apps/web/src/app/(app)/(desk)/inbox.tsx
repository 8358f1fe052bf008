"use client"

import { useTRPC } from "@docket/client/react"
import type { Project } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import type { SessionListItem } from "@docket/core/store"
import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { useAppActions } from "../../../shell/app-actions.tsx"
import { PageHeader } from "../../../shell/page-header.tsx"
import { CostTokens } from "../../../ui/cost-tokens.tsx"
import { EmptyState } from "../../../ui/empty-state.tsx"
import { ErrorState } from "../../../ui/error-state.tsx"
import { RelativeTime } from "../../../ui/relative-time.tsx"
import { SkeletonRows } from "../../../ui/skeleton-rows.tsx"
import type { Status } from "../../../ui/status.ts"
import { StatusGlyph } from "../../../ui/status-glyph.tsx"
import styles from "./inbox.module.css"
import { inboxSections } from "./inbox-sections.ts"
import { StartComposer } from "./start-composer.tsx"

/** What waits for a person, what runs, and what happened last; under it, where to ask for something new. */
export function Inbox() {
  const trpc = useTRPC()
  const actions = useAppActions()
  const list = useQuery(trpc.session.list.queryOptions({ limit: 50 }))
  const projects = useQuery(trpc.project.list.queryOptions())
  return (
    <div className={styles.page}>
      <PageHeader actions={<Button onClick={actions.openProject}>Open project</Button>}>
        <h1>Inbox</h1>
      </PageHeader>
      <div className={styles.main}>
        <div className={styles.lists}>
          {list.isError ? (
            <ErrorState
              title="The inbox cannot be loaded"
              message={list.error.message}
              onRetry={() => void list.refetch()}
            />
          ) : list.isPending || projects.isPending ? (
            <SkeletonRows count={6} height={52} label="Loading the inbox" />
          ) : (
            <Lists items={list.data.items} projects={projects.data ?? []} />
          )}
        </div>
        {projects.data && projects.data.length > 0 ? (
          <div className={styles.dock}>
            <StartComposer projects={projects.data} />
          </div>
        ) : null}
      </div>
    </div>
  )
}

function Lists({ items, projects }: { items: SessionListItem[]; projects: Project[] }) {
  if (projects.length === 0) return <OpenFirst />
  if (items.length === 0) return <EmptyState>Nothing needs you. Tell an agent below what to do.</EmptyState>
  const { needsYou, running, recent } = inboxSections(items)
  const nameOf = (id: string) => projects.find((project) => project.id === id)?.name ?? ""
  return (
    <>
      <Section title="Needs you" status="needs" items={needsYou} nameOf={nameOf} />
      <Section title="Running" status="running" items={running} nameOf={nameOf} />
      <Section title="Recent" status={null} items={recent} nameOf={nameOf} />
    </>
  )
}

function OpenFirst() {
  const actions = useAppActions()
  return (
    <EmptyState
      action={
        <Button variant="filled" onClick={actions.openProject}>
          Open a project
        </Button>
      }
    >
      Docket works in a directory on this machine. Pick one to begin.
    </EmptyState>
  )
}

function Section(props: {
  title: string
  status: Status | null
  items: SessionListItem[]
  nameOf: (projectID: string) => string
}) {
  if (props.items.length === 0) return null
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>
        {props.title} <span className="tabular">{props.items.length}</span>
      </h2>
      <ul>
        {props.items.map((item) => (
          <li key={item.session.id}>
            <Link href={`/s/${item.session.id}`} className={styles.row}>
              {props.status ? <StatusGlyph status={props.status} label="" size={16} /> : null}
              <span className={styles.text}>
                <span className={styles.title}>{shortTitle(item.session)}</span>
                <span className={styles.meta}>
                  {props.nameOf(item.session.projectID)}
                  <Detail item={item} />
                </span>
              </span>
              <span className={styles.time}>
                <RelativeTime time={item.session.time.updated} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Detail({ item }: { item: SessionListItem }) {
  const agents = item.children === 1 ? "1 subagent" : `${item.children} subagents`
  return (
    <>
      {item.needsYou > 0 ? ` · ${item.needsYou === 1 ? "1 request" : `${item.needsYou} requests`}` : ""}
      {item.children > 0 ? ` · ${agents}` : ""}
      {item.treeTokens > 0 ? (
        <>
          {" · "}
          <CostTokens cost={item.treeCost} tokens={item.treeTokens} />
        </>
      ) : null}
    </>
  )
}
