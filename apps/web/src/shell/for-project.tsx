"use client"

import type { Project } from "@docket/core/schema"
import { Fragment, type ReactNode } from "react"
import { Loaded } from "../ui/loaded.tsx"
import styles from "./for-project.module.css"
import { ProjectField } from "./project-field.tsx"
import type { ChosenProject } from "./use-chosen-project.ts"

interface ForProjectProps {
  chosen: ChosenProject
  /** Shown when there is no project. */
  empty: ReactNode
  children(project: Project): ReactNode
}

/** Shows content of one project, with a choice if there are several. */
export function ForProject({ chosen: { projects, project, choose }, empty, children }: ForProjectProps) {
  return (
    <Loaded query={projects} failed="Projects cannot be listed" loading="Loading projects" rows={3}>
      {(known) =>
        project === null ? (
          empty
        ) : (
          <>
            {known.length > 1 ? (
              <div className={styles.field}>
                <ProjectField projects={known} value={project.id} onChange={choose} />
              </div>
            ) : null}
            <Fragment key={project.id}>{children(project)}</Fragment>
          </>
        )
      }
    </Loaded>
  )
}
