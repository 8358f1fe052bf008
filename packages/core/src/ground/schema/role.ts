import { z } from "zod"

/** What somebody is in a workspace, from most to least: each may do all that those after it may. */
export const Role = z.enum(["owner", "admin", "member", "reviewer", "viewer"])
export type Role = z.infer<typeof Role>
