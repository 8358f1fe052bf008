import { z } from "zod"
import { Caller } from "./caller.ts"
import { ProjectID } from "./ids.ts"
import { Place } from "./place.ts"
import { Repository } from "./repository.ts"

/** Who may see a tree of sessions: everybody in its workspace, or only the person who started it. */
export const SessionVisibility = z.enum(["workspace", "author"])
export type SessionVisibility = z.infer<typeof SessionVisibility>

/** The settings of a workspace, which an administrator can change. Times are epoch ms. */
export const Workspace = z.object({
  /** The id of its tenant. */
  id: z.string().min(1),
  /** Directories in which its projects lie, absolute and real; null for anywhere. */
  roots: z.array(z.string()).nullable(),
  /** Who sees sessions that are started from now on. */
  visibility: SessionVisibility.default("workspace"),
  /** Most root sessions that work at the same time; others wait. Null means no limit. */
  turns: z.number().int().positive().nullable().default(null),
  /** What happens to running turns of a person who is removed. */
  whenRemoved: z.enum(["finish", "stop"]).default("finish"),
  /** Set while the workspace is being removed: nobody can use it any more, and the rest of it is deleted. */
  removing: z.literal(true).optional(),
  /** Who last changed a setting, at `time.updated`; absent before the first change and in rows of older versions. */
  by: Caller.optional(),
  time: z.object({ created: z.number(), updated: z.number() }),
})
export type Workspace = z.infer<typeof Workspace>

/**
 * What agents work in: a directory, with the git top level as `worktree` or the directory itself; or a repository, whose
 * name stands in place of both until a host has its files.
 */
export const Project = z.object({
  id: ProjectID,
  name: z.string(),
  directory: z.string(),
  worktree: z.string(),
  git: z.boolean(),
  /** Where its files are; absent: with the only process of the service. */
  place: Place.optional(),
  /** Only in a project whose files are fetched where the work is done. */
  repository: Repository.optional(),
  time: z.object({ created: z.number(), opened: z.number() }),
})
export type Project = z.infer<typeof Project>

/** The user has looked at this content of a project's configuration and trusts it. */
export const ConfigTrust = z.object({
  /** Real path of the project's worktree. */
  directory: z.string(),
  /** A digest of the directory and all configuration in it (SHA-256, hex). */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Digests of everything that it set, to find what is new in later content. Absent in old rows. */
  entries: z.array(z.string()).optional(),
  /** Who trusted the content. */
  by: Caller.optional(),
  time: z.object({ trusted: z.number() }),
})
export type ConfigTrust = z.infer<typeof ConfigTrust>
