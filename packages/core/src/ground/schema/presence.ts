import { z } from "zod"
import { SessionID } from "./ids.ts"

/** The place in a tree that a reader has on screen: a session, in its transcript or on the review desk. */
export const ViewerPlace = z.object({ sessionID: SessionID, view: z.enum(["session", "review"]) })
export type ViewerPlace = z.infer<typeof ViewerPlace>

/** A browser tab that shows a tree and reports it. The tab chooses its id. */
export const ViewerTab = z.object({ id: z.string().regex(/^[\w-]{8,64}$/), place: ViewerPlace.nullable() })
export type ViewerTab = z.infer<typeof ViewerTab>

/** A person who has the tree open in any number of tabs; the place they went to last comes first. */
export const Viewer = z.object({
  person: z.string(),
  /** The name of the person; absent without accounts. */
  name: z.string().optional(),
  places: z.array(ViewerPlace),
})
export type Viewer = z.infer<typeof Viewer>

/** Who reads a tree now. */
export const Presence = z.object({
  /** In the order in which they came. */
  viewers: z.array(Viewer),
  /** How many viewers there are besides those in `viewers`. */
  more: z.number().int().nonnegative(),
  /** How many people read the tree by share links. Nothing else is known of them. */
  readers: z.number().int().nonnegative(),
})
export type Presence = z.infer<typeof Presence>
