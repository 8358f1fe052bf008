/** What a sandbox shows at a path of the machine. All paths are absolute. */
export type Mount =
  /** What lies there, to read or to change. */
  | { kind: "read" | "write"; path: string; at?: string }
  /**
   * The same for a path in a place that programs can change: it is opened first and shown by its open file, so that a
   * link put in its place meanwhile leads nowhere. Left out when it is not there or not what its name says.
   */
  | { kind: "held-read" | "held-write"; path: string }
  /** An empty directory, or nothing to be read from a file. */
  | { kind: "empty-directory" | "empty-file"; path: string }
  /** An empty directory in which nothing can be made. */
  | { kind: "shut-directory"; path: string }
  /** A file that cannot be opened, in the place of one that is there. */
  | { kind: "closed-file"; path: string; standIn: string }
  | { kind: "link"; path: string; to: string }
