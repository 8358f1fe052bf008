import { z } from "zod"
import { AwaitedHost } from "./awaited-host.ts"
import { HostID } from "./ids.ts"
import { Node } from "./node.ts"

/** A node that gave no sign for so long is gone (ms). */
export const nodeGoneAfterMs = 15_000

/** `live` also for a node that is to take no more work, as long as it is not gone: it is then `draining`. */
export const NodeState = z.enum(["live", "draining", "gone"])
export type NodeState = z.infer<typeof NodeState>

/** A node as who runs the service sees it. */
export const ListedNode = Node.omit({ hostID: true, draining: true }).extend({
  /** The id is null for a service that is one process: it is bound to no host. */
  host: z.object({ id: HostID.nullable(), name: z.string() }),
  state: NodeState,
  /** Whether it is the node that answers. */
  isHere: z.boolean(),
  /** How many root sessions it works on. */
  atWork: z.number().int(),
  /** How many root sessions wait at its places. Other nodes of a place count them too. */
  waiting: z.number().int(),
})
export type ListedNode = z.infer<typeof ListedNode>

/** What waits at a place: at least one root session. */
export const PlaceQueue = z.object({
  /** Empty for projects that were opened by a service of one process. */
  place: z.string(),
  /** The place in words. */
  name: z.string(),
  waiting: z.number().int(),
  /** Whether a node that takes work has the place. */
  isServed: z.boolean(),
  /** What the sessions wait for; null where a node takes work, and for projects of a service of one process. */
  awaited: AwaitedHost.nullable(),
})
export type PlaceQueue = z.infer<typeof PlaceQueue>

export const NodeList = z.object({
  /** The time by the clock of the nodes' times (epoch ms). */
  now: z.number(),
  /** By host, those that are gone last. */
  nodes: z.array(ListedNode),
  queues: z.array(PlaceQueue),
})
export type NodeList = z.infer<typeof NodeList>
