/** A page of the output of a tool, in whole lines unless a line is very long. Of control codes only colours stay. */
export interface OutputPage {
  text: string
  /** Where the next page begins; null at the end. */
  next: number | null
  /** Bytes in all. */
  size: number
}
