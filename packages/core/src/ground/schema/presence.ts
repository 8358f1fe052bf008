import { z } from "zod"
import { SessionID } from "./ids.ts"

/** What somebody has on screen of a tree: one of its sessions, in its transcript or on the review desk. */
export const ViewerPlace = z.object({ sessionID: SessionID, view: z.enum(["session", "review"]) })
export type ViewerPlace = z.infer<typeof ViewerPlace>

/** A reader of a tree that lets itself be seen: a tab of a browser, by a name that it chose. */
export const ViewerTab = z.object({ id: z.string().regex(/^[\w-]{8,64}$/), place: ViewerPlace.nullable() })
export type ViewerTab = z.infer<typeof ViewerTab>

/** Somebody who has the tree open, however often; what they went to last comes first. */
export const Viewer = z.object({
  person: z.string(),
  /** What they are called; none without accounts. */
  name: z.string().optional(),
  places: z.array(ViewerPlace),
})
export type Viewer = z.infer<typeof Viewer>

/** Who reads a tree now. */
export const Presence = z.object({
  /** Those who came first come first. */
  viewers: z.array(Viewer),
  /** How many more there are than are named. */
  more: z.number().int().nonnegative(),
  /** How many read it by links. Nothing else is known of them. */
  readers: z.number().int().nonnegative(),
})
export type Presence = z.infer<typeof Presence>
