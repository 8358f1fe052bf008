import { z } from "zod"

/**
 * Tools that a prompt switches off or leaves on, by name or by a pattern with `*`. The longest pattern that matches a
 * tool counts. What is on is offered as far as everything else allows it: nothing widens.
 */
export const ToolSwitches = z
  .record(z.string().min(1).max(200), z.boolean())
  .refine((switches) => Object.keys(switches).length <= 200, { error: "name at most 200 tools" })
export type ToolSwitches = z.infer<typeof ToolSwitches>
