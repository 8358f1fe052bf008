"use client"

import { useTRPC, useTree, useTreeState } from "@docket/client/react"
import type { ChangeFigures } from "@docket/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { createContext, type ReactNode, useContext, useMemo } from "react"
import { formatCount } from "../../ui/format-count.ts"
import { DiffFigures } from "../tools/tool-header.tsx"
import { stagesOf } from "../tree/stages-of.ts"
import { useLater } from "../tree/use-later.ts"
import { useStableTreeState } from "../tree/use-stable-tree-state.ts"
import styles from "./changed-files.module.css"
import type { DiffTarget } from "./diff-target.ts"

/** Minimum time between two fetches while the tree works (ms): the server reads the whole tree for each. */
const refreshMs = 5_000

interface PromptFigures {
  byPrompt: ReadonlyMap<string, ChangeFigures>
  open(promptID: string, figures: ChangeFigures): void
}

const FiguresContext = createContext<PromptFigures | null>(null)

interface TurnChangesProviderProps {
  rootID: string
  onOpenDiff(target: DiffTarget): void
  children: ReactNode
}

/** Knows what each prompt of the root session changed, and learns it again while the tree works. */
export function TurnChangesProvider({ rootID, onOpenDiff, children }: TurnChangesProviderProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const store = useTree(rootID)
  const options = trpc.changes.summary.queryOptions({ sessionID: rootID })
  const isLoaded = useTreeState(store, (view) => view.tree !== null)
  const { data } = useQuery({ ...options, enabled: isLoaded, staleTime: refreshMs })
  const stages = useStableTreeState(store, (view) => stagesOf(view.tree?.sessions ?? {}))
  useLater(stages, refreshMs, () => void queries.invalidateQueries({ queryKey: options.queryKey }))
  const value = useMemo(
    (): PromptFigures => ({
      byPrompt: new Map(data?.prompts.map((prompt) => [prompt.id, prompt])),
      open(promptID, { diffs: [first] }) {
        const at = first === undefined ? null : { group: `turn:${promptID}`, path: first.path }
        onOpenDiff({ grouping: "turn", at })
      },
    }),
    [data, onOpenDiff],
  )
  return <FiguresContext value={value}>{children}</FiguresContext>
}

/** What a prompt changed. A click shows the diffs. */
export function TurnChanges({ promptID }: { promptID: string }) {
  const known = useContext(FiguresContext)
  const figures = known?.byPrompt.get(promptID)
  if (known === null || figures === undefined || figures.files === 0) return null
  return (
    <button type="button" className={styles.turnChanges} onClick={() => known.open(promptID, figures)}>
      {formatCount(figures.files, "file")} <DiffFigures {...figures} />
    </button>
  )
}
