"use client"

import { useTRPC, useTree } from "@docket/client/react"
import { Button } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { Can } from "../../shell/me.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import panel from "../../ui/panel.module.css"
import { useStableTreeState } from "../tree/use-stable-tree-state.ts"
import styles from "./changed-files.module.css"

/** What a model wrote of the tree's changes, and the button that asks for it. */
export function DescribeChanges({ rootID }: { rootID: string }) {
  const trpc = useTRPC()
  const store = useTree(rootID)
  const { described } = useStableTreeState(store, (view) => ({
    described: view.tree?.sessions[rootID]?.described ?? null,
  }))
  const describe = useMutation(trpc.changes.describe.mutationOptions({ onError: showProblem }))
  return (
    <div className={styles.described}>
      {described === null ? null : (
        <section aria-label="Description of the changes">
          <h3 className={styles.describedTitle}>{described.title}</h3>
          <p className={panel.empty}>{described.text}</p>
        </section>
      )}
      <Can do="prompt">
        <Button
          size="compact-sm"
          variant="default"
          loading={describe.isPending}
          onClick={() => describe.mutate({ sessionID: rootID })}
        >
          {described === null ? "Describe the changes" : "Describe again"}
        </Button>
      </Can>
    </div>
  )
}
