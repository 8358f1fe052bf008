/** What a sandbox shows at a path of the machine. All paths are absolute. */
export type Mount =
  /** The file or directory at `at` or `path`, readable or writable. */
  | { kind: "read" | "write"; path: string; at?: string }
  /**
   * The same for a path that programs can change: it is opened first and mounted by its descriptor, so that replacing
   * it by a link has no effect. Omitted when it is missing or reached through a link.
   */
  | { kind: "held-read" | "held-write"; path: string }
  /** An empty directory or file. */
  | { kind: "empty-directory" | "empty-file"; path: string }
  /** An empty directory that cannot be written. */
  | { kind: "shut-directory"; path: string }
  /** A file that cannot be opened, mounted over an existing one. */
  | { kind: "closed-file"; path: string; standIn: string }
  /** A symbolic link at `path` that leads to `to`. */
  | { kind: "link"; path: string; to: string }
