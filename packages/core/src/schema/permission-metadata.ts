import { z } from "zod"
import { FileChangeMetadata } from "./tool-metadata.ts"

/** What a permission request is about, by what is asked: front ends draw it from this alone. */
export const PermissionMetadata = z.discriminatedUnion("kind", [
  /** `bash`, also where the command touches files or leaves the project. `workdir` is absolute. */
  z.object({ kind: z.literal("command"), command: z.string(), description: z.string(), workdir: z.string() }),
  /** `edit` and `write`: what would be written. */
  z.object({ kind: z.literal("change"), ...FileChangeMetadata.shape }),
  /** `read`, and what `grep` shows of files. */
  z.object({ kind: z.literal("files"), files: z.array(z.string()) }),
  /** A place: what `list` lists, or what lies outside the project (absolute then). */
  z.object({ kind: z.literal("path"), path: z.string() }),
  /** `glob` and `grep`. `include` is a glob of the files. */
  z.object({
    kind: z.literal("search"),
    pattern: z.string(),
    path: z.string().optional(),
    include: z.string().optional(),
  }),
  /** A task for the subagent `agent`, by the tool `tool`. */
  z.object({ kind: z.literal("task"), tool: z.string(), agent: z.string(), description: z.string() }),
  /** The call of a tool that repeats the `times - 1` before it. */
  z.object({ kind: z.literal("repeat"), tool: z.string(), input: z.unknown(), times: z.int() }),
  /** What follows `/schedule` in a command. */
  z.object({ kind: z.literal("schedule"), command: z.string() }),
  /** The patterns of the request say it all, or an older row says no more. */
  z.looseObject({ kind: z.literal("other"), title: z.string().optional() }),
])
export type PermissionMetadata = z.infer<typeof PermissionMetadata>
