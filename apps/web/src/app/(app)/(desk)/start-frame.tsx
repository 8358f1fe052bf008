"use client"

import type { Project } from "@docket/core/schema"
import { Button } from "@mantine/core"
import type { ComponentProps, ReactNode } from "react"
import { ReadAlong } from "../../../features/composer/read-along.tsx"
import type { Restoring } from "../../../features/composer/use-prompt-text.ts"
import { useAppActions } from "../../../shell/app-actions.tsx"
import { Can, useMe } from "../../../shell/me.tsx"
import { PageHeader } from "../../../shell/page-header.tsx"
import dock from "../../../ui/dock.module.css"
import { EmptyState } from "../../../ui/empty-state.tsx"
import page from "../../../ui/page.module.css"
import { StartComposer } from "./start-composer.tsx"

interface StartFrameProps {
  title: string
  /** Undefined while loading. */
  projects: Project[] | undefined
  /** The project of the new session; null for the one used last. */
  chosen: string | null
  onChoose: (projectID: string) => void
  restoring: Restoring
  /** The agent that the placeholder names, as far as the page knows. */
  ask?: ComponentProps<typeof StartComposer>["ask"]
  children: ReactNode
}

/** A page on which sessions start: its content, and the prompt field below it. */
export function StartFrame({ title, projects = [], children, ...composer }: StartFrameProps) {
  const { openProject } = useAppActions()
  const { can } = useMe()
  return (
    <div className={page.page}>
      <PageHeader
        actions={
          <Can do="projects.manage">
            <Button onClick={openProject}>Open project</Button>
          </Can>
        }
      >
        <h1>{title}</h1>
      </PageHeader>
      <div className={page.main}>{children}</div>
      {projects.length > 0 ? (
        <div className={dock.dock}>
          {can("prompt") ? <StartComposer projects={projects} {...composer} /> : <ReadAlong />}
        </div>
      ) : null}
    </div>
  )
}

/** Shown before any project was opened. */
export function OpenFirst() {
  const { openProject } = useAppActions()
  const refusal = useMe().whyNot("projects.manage")
  if (refusal !== undefined) return <EmptyState>No project is open here yet. {refusal}</EmptyState>
  return (
    <EmptyState
      action={
        <Button variant="filled" onClick={openProject}>
          Open a project
        </Button>
      }
    >
      Docket works in a directory on the machine where it runs. Pick one to begin.
    </EmptyState>
  )
}
