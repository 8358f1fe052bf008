"use client"

import { useTRPC } from "@docket/client/react"
import type { SessionVisibility } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMe } from "../../../shell/me.tsx"

export interface VisibilityOfNew {
  /** Who sees the session; null where nobody else has an account, and until it is known. */
  visibility: SessionVisibility | null
  choose(visibility: SessionVisibility): void
  isLoading: boolean
  error: { message: string } | null
}

/** Who sees a session that begins here: those whom the workspace names, until the person says otherwise. */
export function useVisibility(): VisibilityOfNew {
  const trpc = useTRPC()
  const { hasTeam } = useMe()
  const workspace = useQuery({ ...trpc.workspace.get.queryOptions(), enabled: hasTeam })
  const [chosen, choose] = useState<SessionVisibility | null>(null)
  const { isLoading, data } = workspace
  const usual = hasTeam ? (data?.visibility ?? null) : null
  return {
    visibility: usual && (chosen ?? usual),
    choose,
    isLoading,
    error: workspace.isLoadingError ? workspace.error : null,
  }
}
