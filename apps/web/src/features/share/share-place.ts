/** What a page of a share is about. */
export interface SharePlace {
  secret: string
  /** A session below the root. */
  child?: string
  /** In whichever session it is. */
  part?: string
}
