"use client"

import { useTRPC } from "@docket/client/react"
import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { EmptyState } from "../ui/empty-state.tsx"
import { useSwitchWorkspace } from "./use-switch-workspace.ts"

/** What a page says of a session that is not here: where else the reader has it, or what stands in it. */
export function InOtherWorkspace({ sessionID, children }: { sessionID: string; children: ReactNode }) {
  const trpc = useTRPC()
  const { go, isPending } = useSwitchWorkspace()
  const { data } = useQuery({ ...trpc.workspace.holding.queryOptions({ sessionID }), retry: false })
  if (!data) return children
  return (
    <EmptyState
      action={
        <Button loading={isPending} onClick={() => go(data.id)}>
          Go to {data.name}
        </Button>
      }
    >
      This session is in your workspace {data.name}.
    </EmptyState>
  )
}
