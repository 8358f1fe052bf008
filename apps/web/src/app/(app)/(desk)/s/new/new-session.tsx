"use client"

import { useTRPC } from "@docket/client/react"
import type { Project } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { useRouter, useSearchParams } from "next/navigation"
import { lastProject } from "../../../../../shell/last-project.ts"
import { useMe } from "../../../../../shell/me.tsx"
import { newSessionHref } from "../../../../../shell/use-new-session.ts"
import { EmptyState } from "../../../../../ui/empty-state.tsx"
import { ErrorState } from "../../../../../ui/error-state.tsx"
import { SkeletonRows } from "../../../../../ui/skeleton-rows.tsx"
import { OpenFirst, StartFrame } from "../../start-frame.tsx"
import { StartGuide } from "../../start-guide.tsx"
import { useSuggested } from "../../use-suggested.ts"

/** The page for a new session. The session is created when its first prompt is sent. */
export function NewSession() {
  const trpc = useTRPC()
  const router = useRouter()
  const chosen = useSearchParams().get("project")
  const projects = useQuery(trpc.project.list.queryOptions())
  const { suggest, restoring } = useSuggested()
  return (
    <StartFrame
      title="New session"
      projects={projects.data}
      chosen={chosen}
      onChoose={(projectID) => router.replace(newSessionHref(projectID))}
      restoring={restoring}
    >
      {projects.isLoadingError ? (
        <ErrorState
          title="Projects cannot be listed"
          message={projects.error.message}
          onRetry={() => void projects.refetch()}
        />
      ) : projects.isPending ? (
        <SkeletonRows count={3} height={52} label="Loading projects" />
      ) : (
        <Guide projects={projects.data} chosen={chosen} onTry={suggest} />
      )}
    </StartFrame>
  )
}

function Guide(props: { projects: Project[]; chosen: string | null; onTry: (prompt: string) => void }) {
  const trpc = useTRPC()
  // The same query as the inbox and the count in the tab title, so it is cached.
  const list = useQuery(trpc.session.list.queryOptions({ limit: 50 }))
  const refusal = useMe().whyNot("prompt")
  if (refusal !== undefined) return <EmptyState>{refusal}</EmptyState>
  const project = props.projects.find(({ id }) => id === props.chosen) ?? lastProject(props.projects)
  if (!project) return <OpenFirst />
  return <StartGuide project={project} first={list.data?.items.length === 0} onTry={props.onTry} />
}
