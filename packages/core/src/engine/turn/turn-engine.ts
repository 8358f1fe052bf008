/** A tree in which a turn waits. */
export interface QueuedTree {
  tenantID: string
  rootID: string
  /** Where its files are: only nodes of this place can work on it. */
  place: string
}

/** A tree that was given to this node. */
export interface GivenTree extends QueuedTree {
  /** Another node had it before and did not finish, for example because it died. */
  wasHeld: boolean
  /** Aborts when the tree may be given to another node. */
  signal: AbortSignal
}

export interface PlaceStats {
  place: string
  /** Trees that wait for a node. A tree counts once for each prompt. */
  queued: number
  /** Trees that a node works on. */
  active: number
}

/** Runs a statement in the transaction of the caller. */
export type ExecuteSql = (sql: string, values?: readonly unknown[]) => Promise<{ rows: unknown[] }>

export interface ServeOptions {
  places: readonly string[]
  /** How many trees this node works on at a time. */
  capacity: number
  /**
   * Works on a tree until nothing is left to do in it. After a rejection, the tree is given to a node again.
   */
  work(tree: GivenTree): Promise<void>
}

/**
 * Gives trees with queued turns to nodes: a tree to one node at a time, in the order in which they were queued, and again
 * when the node that had it dies. It says only who works; what is done, and how often, is said by the rows of the turns.
 */
export interface TurnEngine {
  /** Queues trees. With `execute`, in the transaction of the rows that this is about. */
  enqueue(trees: readonly QueuedTree[], execute?: ExecuteSql): Promise<void>
  /** Begins to take trees. Call once. */
  serve(options: ServeOptions): Promise<void>
  /** Takes no more trees; those that this node has go on. */
  pause(): void
  /** Takes trees again. */
  resume(): void
  /** Gives back the trees that this node has, so that others go on with them, and resolves when all work has ended. */
  giveBack(): Promise<void>
  stats(): Promise<PlaceStats[]>
  /** Gives everything back and ends. */
  close(): Promise<void>
}
