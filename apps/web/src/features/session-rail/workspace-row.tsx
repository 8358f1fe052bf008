"use client"

import { useTRPC } from "@docket/client/react"
import { useQuery } from "@tanstack/react-query"
import { useMe } from "../../shell/me.tsx"
import { laterPart } from "../../ui/later-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { WorkspaceButton } from "./workspace-button.tsx"

const workspaceMenu = laterPart(() => import("./workspace-menu.tsx").then((it) => it.WorkspaceMenu))

/** The current workspace; only for a user who has several or may create one. */
export function WorkspaceRow({ onNavigate }: { onNavigate: () => void }) {
  const trpc = useTRPC()
  const { hasTeam } = useMe()
  const { data } = useQuery({ ...trpc.workspace.list.queryOptions(), enabled: hasTeam, staleTime: 60_000 })
  const current = data?.workspaces.find(({ isCurrent }) => isCurrent)?.name
  if (data === undefined || current === undefined) return null
  const hasChoice = data.workspaces.length > 1 || data.mayCreate
  if (!hasChoice) return null
  return (
    <OnDemand part={workspaceMenu} face={(open) => <WorkspaceButton name={current} onClick={open} />}>
      {(WorkspaceMenu) => <WorkspaceMenu {...data} current={current} onNavigate={onNavigate} />}
    </OnDemand>
  )
}
