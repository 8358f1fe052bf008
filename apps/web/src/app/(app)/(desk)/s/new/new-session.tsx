"use client"

import { useTRPC } from "@docket/client/react"
import type { Project } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useRouter, useSearchParams } from "next/navigation"
import { useAppActions } from "../../../../../shell/app-actions.tsx"
import { lastProject } from "../../../../../shell/last-project.ts"
import { PageHeader } from "../../../../../shell/page-header.tsx"
import { newSessionHref } from "../../../../../shell/use-new-session.ts"
import { EmptyState } from "../../../../../ui/empty-state.tsx"
import { ErrorState } from "../../../../../ui/error-state.tsx"
import { SkeletonRows } from "../../../../../ui/skeleton-rows.tsx"
import styles from "../../inbox.module.css"
import { StartComposer } from "../../start-composer.tsx"
import { StartGuide } from "../../start-guide.tsx"
import { useSuggested } from "../../use-suggested.ts"

/** Where a session begins: nothing is made until its first prompt is sent. */
export function NewSession() {
  const trpc = useTRPC()
  const router = useRouter()
  const { openProject } = useAppActions()
  const chosen = useSearchParams().get("project")
  const projects = useQuery(trpc.project.list.queryOptions())
  const { suggest, restoring } = useSuggested()
  return (
    <div className={styles.page}>
      <PageHeader actions={<Button onClick={openProject}>Open project</Button>}>
        <h1>New session</h1>
      </PageHeader>
      <div className={styles.main}>
        <div className={styles.lists}>
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
        </div>
        {projects.data && projects.data.length > 0 ? (
          <div className={styles.dock}>
            <StartComposer
              projects={projects.data}
              chosen={chosen}
              restoring={restoring}
              onChoose={(projectID) => router.replace(newSessionHref(projectID))}
            />
          </div>
        ) : null}
      </div>
    </div>
  )
}

function Guide(props: { projects: Project[]; chosen: string | null; onTry: (prompt: string) => void }) {
  const trpc = useTRPC()
  const { openProject } = useAppActions()
  // What the inbox and the tab's count read too.
  const list = useQuery(trpc.session.list.queryOptions({ limit: 50 }))
  const project = props.projects.find(({ id }) => id === props.chosen) ?? lastProject(props.projects)
  if (!project)
    return (
      <EmptyState
        action={
          <Button variant="filled" onClick={openProject}>
            Open a project
          </Button>
        }
      >
        Docket works in a directory on this machine. Pick one to begin.
      </EmptyState>
    )
  return <StartGuide project={project} first={list.data?.items.length === 0} onTry={props.onTry} />
}
