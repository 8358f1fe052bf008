import { z } from "zod"
import { HostID, NodeID } from "./ids.ts"
import { Place } from "./place.ts"

/** What a node does: everything by itself, answer requests, or run turns. */
export const NodeRole = z.enum(["all", "web", "worker"])
export type NodeRole = z.infer<typeof NodeRole>

/** What a process uses. */
export const NodeUse = z.object({
  /** Bytes of memory (resident). */
  memory: z.number().int(),
  /** Processors that it kept busy since it last said so: 1 is one of them, all the time. */
  processors: z.number(),
  /** How long a notification to itself took through the database (ms): news reach its readers so late. Null: none came, or it is alone. */
  lag: z.number().nullable(),
})
export type NodeUse = z.infer<typeof NodeUse>

/** What a node says of itself. A node is one process of the service; one that starts again is another one. */
export const NodeFacts = z.object({
  id: NodeID,
  hostID: HostID,
  role: NodeRole,
  version: z.string(),
  pid: z.number().int(),
  /** The places whose trees it works on. */
  places: z.array(Place),
  /** Absent for a node that has not said it yet. */
  use: NodeUse.optional(),
})
export type NodeFacts = z.infer<typeof NodeFacts>

/** A node as the others see it. Times are epoch ms by the clock of the database, so they can be compared. */
export const Node = NodeFacts.extend({
  /** It takes no new work, and ends when what it has is done. */
  draining: z.boolean(),
  time: z.object({ started: z.number(), seen: z.number() }),
})
export type Node = z.infer<typeof Node>

/** A machine, or a container with a volume, that has directories of projects. */
export const Host = z.object({
  id: HostID,
  /** What people call it; empty when it has no name. */
  label: z.string(),
  /** When a node of it last said so, by the clock of the database (epoch ms). */
  time: z.object({ seen: z.number() }),
})
export type Host = z.infer<typeof Host>
