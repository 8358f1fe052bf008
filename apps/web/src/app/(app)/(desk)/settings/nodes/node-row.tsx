"use client"

import { visibleText } from "@docket/core/rule"
import type { ListedNode } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useState } from "react"
import entries from "../../../../../ui/entries.module.css"
import { StatusGlyph } from "../../../../../ui/status-glyph.tsx"
import { LazyConfirmDialog } from "../lazy-confirm-dialog.ts"
import settings from "../settings.module.css"
import { Age } from "./age.tsx"
import { nodeRoles, nodeStates, storageOf, workOf } from "./node-labels.ts"
import styles from "./nodes.module.css"
import { useNodeActions } from "./use-node-actions.ts"

interface NodeRowProps {
  node: ListedNode
  /** When the node gave its last sign, by the clock of this browser (epoch ms). */
  seen: number
}

/** One node. Only a worker drains. */
export function NodeRow({ node, seen }: NodeRowProps) {
  const { host, role, version, pid, state, isHere } = node
  const facts = [nodeStates[state].label, ...workOf(node), ...storageOf(node)]
  return (
    <li className={styles.node}>
      <StatusGlyph {...nodeStates[state]} />
      <span className={settings.text}>
        <span className={settings.name}>
          {visibleText(host.name)} <span className={styles.role}>{nodeRoles[role]}</span>
        </span>
        <span className={styles.facts}>{facts.join(" · ")}</span>
        <span className={settings.meta}>
          {visibleText(`Docket ${version}`)} · process {pid}
          {isHere ? " · answers this page" : null}
          {role === "all" ? null : (
            <>
              {" · last sign "}
              <Age since={seen} /> ago
            </>
          )}
        </span>
      </span>
      {role === "worker" && state !== "gone" ? (
        <span className={entries.actions}>{state === "live" ? <Drain node={node} /> : <Resume node={node} />}</span>
      ) : null}
    </li>
  )
}

function Drain({ node: { id: nodeID, host } }: { node: ListedNode }) {
  const [isAsking, setAsking] = useState(false)
  const { drain } = useNodeActions()
  const name = visibleText(host.name)
  return (
    <>
      <Button aria-label={`Drain ${name}…`} onClick={() => setAsking(true)}>
        Drain…
      </Button>
      {isAsking ? (
        <LazyConfirmDialog
          title={`Drain ${name}`}
          action="Drain"
          confirm={() => drain.mutateAsync({ nodeID })}
          onClose={() => setAsking(false)}
          next="#nodes"
        >
          This node takes no more sessions; those that it works on go on. When you end it, what runs goes on elsewhere
          where its files are, or waits for this host.
        </LazyConfirmDialog>
      ) : null}
    </>
  )
}

function Resume({ node: { id: nodeID, host } }: { node: ListedNode }) {
  const { resume } = useNodeActions()
  return (
    <Button
      loading={resume.isPending}
      aria-label={`Resume ${visibleText(host.name)}`}
      onClick={() => resume.mutate({ nodeID })}
    >
      Resume
    </Button>
  )
}
