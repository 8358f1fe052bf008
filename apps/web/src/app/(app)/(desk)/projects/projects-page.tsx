"use client"

import { useTRPC } from "@docket/client/react"
import { useQuery } from "@tanstack/react-query"
import { PageHeader } from "../../../../shell/page-header.tsx"
import { EmptyState } from "../../../../ui/empty-state.tsx"
import { Loaded } from "../../../../ui/loaded.tsx"
import page from "../../../../ui/page.module.css"
import styles from "./projects.module.css"

/** The directories in which sessions work. */
export function ProjectsPage() {
  const projects = useQuery(useTRPC().project.list.queryOptions())
  return (
    <div className={page.page}>
      <PageHeader>
        <h1>Projects</h1>
      </PageHeader>
      <div className={page.main}>
        <Loaded query={projects} failed="Projects cannot be listed" loading="Loading projects">
          {(found) =>
            found.length === 0 ? (
              <EmptyState>Begin a session in a directory, and it is listed here.</EmptyState>
            ) : (
              <ul>
                {found.map(({ id, worktree }) => (
                  <li key={id} className={styles.project}>
                    {worktree}
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </div>
  )
}
