"use client"

import { useTree } from "@docket/client/react"
import { shortTitle } from "@docket/core/session-title"
import { formatCost, formatTokens, totalTokens, treeUsage, type Usage } from "@docket/core/usage"
import panel from "../../ui/panel.module.css"
import { useStableTreeState } from "../tree/use-stable-tree-state.ts"
import styles from "./cost.module.css"

/** Tokens and cost of every session of the tree, with a total. */
export function CostPanel({ rootID }: { rootID: string }) {
  const store = useTree(rootID)
  const sessions = useStableTreeState(store, (view) => view.tree?.sessions ?? {})
  const rows = Object.values(sessions).sort((a, b) => b.cost - a.cost || totalTokens(b.tokens) - totalTokens(a.tokens))
  const { whole } = treeUsage(rows)
  return (
    <section className={panel.panel} aria-label="Cost">
      <table className={styles.cost}>
        <thead>
          <tr>
            <th scope="col">Session</th>
            <th scope="col">In</th>
            <th scope="col">Cached</th>
            <th scope="col">Out</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((session) => (
            <tr key={session.id}>
              <th scope="row">
                <span className={styles.costName}>{shortTitle(session)}</span>
                <span className={styles.costModel}>{session.model?.modelID ?? session.agent}</span>
              </th>
              <Figures usage={session} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <Figures usage={whole} />
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

function Figures({ usage: { tokens, cost } }: { usage: Usage }) {
  return (
    <>
      <td>{formatTokens(tokens.input)}</td>
      <td>{formatTokens(tokens.cache.read + tokens.cache.write)}</td>
      <td>{formatTokens(tokens.output + tokens.reasoning)}</td>
      <td>{formatCost(cost)}</td>
    </>
  )
}
