"use client"

import { useTRPC } from "@docket/client/react"
import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useRouter, useSearchParams } from "next/navigation"
import { useAppActions } from "../../../../../shell/app-actions.tsx"
import { PageHeader } from "../../../../../shell/page-header.tsx"
import { newSessionHref } from "../../../../../shell/use-new-session.ts"
import { EmptyState } from "../../../../../ui/empty-state.tsx"
import { ErrorState } from "../../../../../ui/error-state.tsx"
import { SkeletonRows } from "../../../../../ui/skeleton-rows.tsx"
import styles from "../../inbox.module.css"
import { StartComposer } from "../../start-composer.tsx"

/** Where a session begins: nothing is made until its first prompt is sent. */
export function NewSession() {
  const trpc = useTRPC()
  const router = useRouter()
  const { openProject } = useAppActions()
  const chosen = useSearchParams().get("project")
  const projects = useQuery(trpc.project.list.queryOptions())
  return (
    <div className={styles.page}>
      <PageHeader actions={<Button onClick={openProject}>Open project</Button>}>
        <h1>New session</h1>
      </PageHeader>
      <div className={styles.main}>
        <div className={styles.lists}>
          {projects.isError ? (
            <ErrorState
              title="Projects cannot be listed"
              message={projects.error.message}
              onRetry={() => void projects.refetch()}
            />
          ) : projects.isPending ? (
            <SkeletonRows count={3} height={52} label="Loading projects" />
          ) : (
            <EmptyState>An agent works in the project’s directory and asks before it must.</EmptyState>
          )}
        </div>
        {projects.data && projects.data.length > 0 ? (
          <div className={styles.dock}>
            <StartComposer
              projects={projects.data}
              chosen={chosen}
              onChoose={(projectID) => router.replace(newSessionHref(projectID))}
            />
          </div>
        ) : null}
      </div>
    </div>
  )
}
