"use client"

import { useTRPC } from "@docket/client/react"
import type { Project } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { lastProject } from "./last-project.ts"

/** All projects, and the page's current one: the last one used in this browser until the user chooses another. */
export function useChosenProject() {
  const trpc = useTRPC()
  const projects = useQuery(trpc.project.list.queryOptions())
  const [chosen, choose] = useState<string | null>(null)
  const known: Project[] = projects.data ?? []
  const project = known.find(({ id }) => id === chosen) ?? lastProject(known) ?? null
  return { projects, project, choose: (projectID: string) => choose(projectID) }
}

export type ChosenProject = ReturnType<typeof useChosenProject>
