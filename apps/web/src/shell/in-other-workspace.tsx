"use client"

import { useTRPC } from "@docket/client/react"
import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { EmptyState } from "../ui/empty-state.tsx"
import { useSwitchWorkspace } from "./use-switch-workspace.ts"

/** For a session that is not in this workspace: a link to the user's workspace that has it, or else `children`. */
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
