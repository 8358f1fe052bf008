import { z } from "zod"
import { records } from "./audit-rule.ts"
import { ProjectInput } from "./input.ts"
import { mutation, query } from "./operation.ts"

const Path = z.string().max(4_096)

export const projectOperations = {
  open: mutation({
    capability: "projects.manage",
    audit: records("project.opened", { targets: ["directory"] }),
    input: z.object({ directory: Path.min(1) }),
    run: ({ project }, { directory }) => project.open(directory),
  }),

  list: query({ input: null, run: ({ project }) => project.list() }),

  get: query({ input: ProjectInput, run: ({ project }, { projectID }) => project.get(projectID) }),

  /** Files that match `query`, best first, relative to the project's directory. */
  files: query({
    capability: "prompt",
    input: ProjectInput.extend({
      query: z.string().max(500),
      limit: z.number().int().min(1).max(200).default(20),
    }),
    run: ({ project }, { projectID, query, limit }) => project.files(projectID, query, limit),
  }),

  /** A few prompts to try on this very project. */
  suggestions: query({ input: ProjectInput, run: ({ project }, { projectID }) => project.suggestions(projectID) }),

  /** Sub-directories of an absolute path, by default of the home directory or a root: for the project picker. */
  directories: query({
    capability: "projects.manage",
    input: z.object({ path: Path.optional() }),
    run: ({ project }, { path }) => project.directories(path),
  }),
}
