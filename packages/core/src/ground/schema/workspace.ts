import { z } from "zod"
import { Caller } from "./caller.ts"
import { ProjectID } from "./ids.ts"

/** Who may see a tree of sessions: its workspace, or only the person who started it. */
export const SessionVisibility = z.enum(["workspace", "author"])
export type SessionVisibility = z.infer<typeof SessionVisibility>

/** What an administrator set of a workspace. Times are epoch ms. */
export const Workspace = z.object({
  /** The id of its tenant. */
  id: z.string().min(1),
  /** Directories in which its projects lie, absolute and real; null for anywhere. */
  roots: z.array(z.string()).nullable(),
  /** Who sees a session that is started now. */
  visibility: SessionVisibility.default("workspace"),
  /** Root sessions that work at once, others wait; null for any number. */
  turns: z.number().int().positive().nullable().default(null),
  /** What becomes of the turns that run for somebody who is removed. */
  whenRemoved: z.enum(["finish", "stop"]).default("finish"),
  /** Set once it is being removed: it is there for nobody any more, and what is left of it goes. */
  removing: z.literal(true).optional(),
  /** Who set something of it last, at `time.updated`; none before anything was set, and in rows of older versions. */
  by: Caller.optional(),
  time: z.object({ created: z.number(), updated: z.number() }),
})
export type Workspace = z.infer<typeof Workspace>

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

/** The user has looked at this content of a project's configuration and lets it count. */
export const ConfigTrust = z.object({
  /** Real path of the project's worktree. */
  directory: z.string(),
  /** Stands for the directory and everything in it that configures (SHA-256, hex). */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Digests of all that it set, so that what is new in later content can be told. Missing in old rows. */
  entries: z.array(z.string()).optional(),
  /** Who let it count. */
  by: Caller.optional(),
  time: z.object({ trusted: z.number() }),
})
export type ConfigTrust = z.infer<typeof ConfigTrust>
