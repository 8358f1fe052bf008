/** What one rule says of a text: the secret stands from `start` to before `end`. */
export interface Hit {
  rule: string
  label: string
  start: number
  end: number
  /** The secret as it reads without what was laid over it: the same wherever it stands. */
  secret: string
  /** What is put in its place where that is not a labelled block. */
  replacement?: string
}
