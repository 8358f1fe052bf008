/** A secret that a rule found in a text, from `start` to before `end`. */
export interface Hit {
  rule: string
  label: string
  start: number
  end: number
  /** The secret without escapes and encodings, so that it is the same at every place. */
  secret: string
  /** The text that replaces the secret; absent when a labelled block does. */
  replacement?: string
}
