import { z } from "zod"
import { ProjectID } from "./ids.ts"
import { Place } from "./place.ts"

/** A host that sessions wait for, because nobody else has their files. */
export const AwaitedHost = z.object({
  /** `host`: this one host; `storage`: any host with a storage; `any`: any host at all. */
  kind: z.enum(["host", "storage", "any"]),
  /** The name of the host, or the label of the storage; null for any host. */
  name: z.string().nullable(),
  /** `gone`: none of its workers is there; `draining`: those that are there take no more work. */
  why: z.enum(["gone", "draining"]),
})
export type AwaitedHost = z.infer<typeof AwaitedHost>

/** Where projects can be opened: a host, or hosts that share a storage. */
export const NamedPlace = z.object({ place: Place, kind: z.enum(["host", "storage"]), name: z.string() })
export type NamedPlace = z.infer<typeof NamedPlace>

/** A project whose sessions wait for a host. */
export const AwaitedProject = z.object({ projectID: ProjectID, host: AwaitedHost })
export type AwaitedProject = z.infer<typeof AwaitedProject>
