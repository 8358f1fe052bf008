import type { Host, Node, NodeFacts } from "../../schema/index.ts"

/**
 * The processes of the service and the hosts that they run on, of no tenant. All times are of the database's clock, so
 * that nodes whose clocks differ agree on who is there.
 */
export interface NodeStore {
  /** The node is there. Answers with its row: so it learns that it is to take no new work. */
  beat(node: NodeFacts): Promise<Node>
  /** All nodes, the last to start first, and the time by the database's clock: a node is as old as `now - seen`. */
  list(): Promise<{ now: number; nodes: Node[] }>
  /** False when there is no such node. */
  setDraining(id: string, on: boolean): Promise<boolean>
  /** The node has ended. */
  leave(id: string): Promise<void>
  /** Removes nodes that were last seen before then, and answers how many that were. */
  forgetBefore(time: number): Promise<number>
  /** The host is there under this label. */
  putHost(host: Pick<Host, "id" | "label">): Promise<void>
  /** By id. */
  hosts(): Promise<Host[]>
}
