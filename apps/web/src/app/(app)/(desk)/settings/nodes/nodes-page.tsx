"use client"

import { useTRPC } from "@docket/client/react"
import { queueText } from "@docket/core/awaited-text"
import { visibleText } from "@docket/core/rule"
import type { NodeList } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { useMe } from "../../../../../shell/me.tsx"
import { Loaded } from "../../../../../ui/loaded.tsx"
import { Section } from "../section.tsx"
import settings from "../settings.module.css"
import { TeamPage } from "../team-page.tsx"
import { NodeRow } from "./node-row.tsx"

const lookMs = 5_000

/** The processes of the service: where they run, what they work on, and whether they take more. */
export function NodesPage() {
  const refusal = useMe().whyNot("service.manage")
  return (
    <TeamPage
      title="Nodes"
      intro={
        <>
          The processes of the service, and what they work on. <code>docket nodes</code> tells the same in a terminal.
        </>
      }
    >
      {refusal === undefined ? <Nodes /> : <p className={settings.hint}>{refusal}</p>}
    </TeamPage>
  )
}

function Nodes() {
  const trpc = useTRPC()
  const query = useQuery(trpc.nodes.list.queryOptions(undefined, { refetchInterval: lookMs }))
  return (
    <Section id="nodes" title="Nodes of this service">
      <Loaded query={query} failed="Nodes cannot be listed" loading="Loading nodes" rows={1} height={76}>
        {(list) => (
          <>
            {query.isRefetchError ? (
              <p role="status" className={settings.warning}>
                Docket does not answer: this is what it said last.
              </p>
            ) : null}
            <Listed list={list} at={query.dataUpdatedAt} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

/** @param at when the list came, by the clock of this browser (epoch ms) */
function Listed({ list, at }: { list: NodeList; at: number }) {
  const { now, nodes, queues } = list
  const isAlone = nodes.every(({ role }) => role === "all")
  return (
    <>
      {queues.map((queue) =>
        queue.isServed ? null : (
          <p key={queue.place} className={settings.note}>
            {visibleText(queueText(queue))}
          </p>
        ),
      )}
      <ul aria-label="Nodes">
        {nodes.map((node) => (
          <NodeRow key={node.id} node={node} seen={at - (now - node.time.seen)} />
        ))}
      </ul>
      {isAlone ? (
        <p className={settings.hint}>
          One process does everything here. Several share the work when they share a PostgreSQL database: see{" "}
          <code>docs/scale.md</code>.
        </p>
      ) : null}
    </>
  )
}
