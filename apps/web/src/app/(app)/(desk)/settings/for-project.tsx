"use client"

import { useTRPC } from "@docket/client/react"
import type { Project } from "@docket/core/schema"
import { NativeSelect } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { lastProject } from "../../../../shell/last-project.ts"
import styles from "./settings.module.css"

/** Shows something of one project, which is chosen where there are several. */
export function ForProject({ empty, children }: { empty: string; children(project: Project): ReactNode }) {
  const trpc = useTRPC()
  const projects = useQuery(trpc.project.list.queryOptions())
  const [chosen, setChosen] = useState<string | null>(null)
  const project = projects.data?.find(({ id }) => id === chosen) ?? lastProject(projects.data ?? [])
  if (!project) return <p className={styles.hint}>{empty}</p>
  return (
    <>
      {(projects.data ?? []).length > 1 ? (
        <NativeSelect
          label="In project"
          className={styles.project ?? ""}
          data={(projects.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={project.id}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      ) : null}
      {children(project)}
    </>
  )
}
