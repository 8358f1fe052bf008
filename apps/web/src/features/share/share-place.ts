/** The place that an address of a share names. */
export interface SharePlace {
  secret: string
  /** A session below the root. */
  child?: string
  /** A part in any session of the tree. */
  part?: string
}
