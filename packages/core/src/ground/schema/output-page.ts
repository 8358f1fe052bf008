/** A piece of what a tool put out, in whole lines where they are not very long. Of control codes only colours stay. */
export interface OutputPage {
  text: string
  /** Where the next page begins; null at the end. */
  next: number | null
  /** Bytes in all. */
  size: number
}
