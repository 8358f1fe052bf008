import { z } from "zod"
import { ProjectID } from "./ids.ts"

/** A directory that agents work in. `worktree` is the git top level, or the directory itself. */
export const Project = z.object({
  id: ProjectID,
  name: z.string(),
  directory: z.string(),
  worktree: z.string(),
  git: z.boolean(),
  time: z.object({ created: z.number(), opened: z.number() }),
})
export type Project = z.infer<typeof Project>
