import type { PromptSuggestion, UseCases } from "@docket/core"
import { records } from "@docket/core/operations"
import type { Project } from "@docket/core/schema"
import { z } from "zod"
import { allowed, router } from "../trpc.ts"
import { ProjectInput } from "./input.ts"

const Path = z.string().max(4_096)
const FilesInput = ProjectInput.extend({
  query: z.string().max(500),
  limit: z.number().int().min(1).max(200).default(20),
})

export const projectRouter = router({
  open: allowed("projects.manage", records("project.opened", { targets: ["directory"] }))
    .input(z.object({ directory: Path.min(1) }))
    .mutation(({ ctx, input }): Promise<Project> => ctx.runtime.project.open(input.directory)),

  list: allowed("read").query(({ ctx }): Promise<Project[]> => ctx.runtime.project.list()),

  get: allowed("read")
    .input(ProjectInput)
    .query(({ ctx, input }): Promise<Project> => ctx.runtime.project.get(input.projectID)),

  /** Files that match `query`, best first, relative to the project's directory. */
  files: allowed("prompt")
    .input(FilesInput)
    .query(({ ctx, input }): Promise<string[]> => {
      return ctx.runtime.project.files(input.projectID, input.query, input.limit)
    }),

  /** A few prompts to try on this very project. */
  suggestions: allowed("read")
    .input(ProjectInput)
    .query(({ ctx, input }): Promise<PromptSuggestion[]> => ctx.runtime.project.suggestions(input.projectID)),

  /** Sub-directories of an absolute path, by default of the home directory or a root: for the project picker. */
  directories: allowed("projects.manage")
    .input(z.object({ path: Path.optional() }))
    .query(({ ctx, input }): ReturnType<UseCases["project"]["directories"]> => {
      return ctx.runtime.project.directories(input.path)
    }),
})
