"use client"

import { useTRPC } from "@docket/client/react"
import type { SessionVisibility } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMe } from "../../../shell/me.tsx"

export interface VisibilityOfNew {
  /** The session's visibility; null where nobody else has an account, and while loading. */
  visibility: SessionVisibility | null
  choose(visibility: SessionVisibility): void
  isLoading: boolean
  error: { message: string } | null
}

/** The visibility of a new session: the workspace's default until the user chooses. */
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
