import { createBegun } from "../begun.ts"

/** A plan as a person has typed it so far, and the version of the file that they began with. */
interface BegunEdit {
  typed: string
  base: string
}

export const begunEdits = createBegun("docket-plan-edits-1", isEdit)

function isEdit(value: unknown): value is BegunEdit {
  // Its fields are looked at one by one below.
  const edit = value as Partial<BegunEdit> | null
  return typeof edit?.typed === "string" && typeof edit.base === "string"
}
