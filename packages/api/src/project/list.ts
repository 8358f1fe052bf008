import type { Project } from "@docket/core/schema"
import { procedure } from "../trpc.ts"

export const listProjects = procedure.query(({ ctx }): Promise<Project[]> => ctx.runtime.project.list())
