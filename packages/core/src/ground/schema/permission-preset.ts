import { z } from "zod"
import { Caller } from "./caller.ts"

/** A named choice of how much a session may do unasked: what each means is in `rule/presets.ts`. */
export const PermissionPreset = z.enum(["ask", "edit", "plan", "sandbox"])
export type PermissionPreset = z.infer<typeof PermissionPreset>

/** The preset that a person chose for a session and those below it, and when (epoch ms). */
export const ChosenPreset = z.object({ name: PermissionPreset, by: Caller.optional(), at: z.number() })
export type ChosenPreset = z.infer<typeof ChosenPreset>
