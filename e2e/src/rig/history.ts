/** What a reader was told of a tree. */
export interface Seen {
  reader: string
  /** The node that told it. */
  node: string
  root: string
  seq: number
  type: string
  /** Digest of the content. */
  hash: string
  /** Epoch ms. */
  at: number
}

/** A row as the database stored it: its own record, made by a trigger in the same transaction. */
export interface Stored {
  /** In the order of a tree's commits. */
  n: number
  transaction: string
  /** Epoch ms. */
  at: number
  /** The address of the host that wrote it. */
  host: string
  table: string
  id: string
  root: string
  session: string
  seq: number
  /** Of a turn. */
  status: string | null
  epoch: number | null
  prompt: string | null
}

/** A prompt that the service accepted. */
export interface Accepted {
  session: string
  text: string
  /** Epoch ms. */
  at: number
}

/** What a reader held at the end, beside what a new one gets. */
export interface Fold {
  reader: string
  root: string
  /** The reader began with the rows up to here. */
  since: number
  folded: unknown
  snapshot: unknown
}

/** What clients and the database noted of some trees that have come to rest. */
export interface History {
  /** Of each session in the order in which they were accepted. */
  accepted: Accepted[]
  seen: Seen[]
  folds: Fold[]
  stored: Stored[]
  /** The marks of calls, each time that one was executed. */
  executed: string[]
}
