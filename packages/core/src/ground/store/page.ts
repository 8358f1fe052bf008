export interface Page<T> {
  items: T[]
  /** Pass as `cursor` for the next page; null at the end. */
  cursor: string | null
}
