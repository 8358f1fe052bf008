import { expect, it } from "vitest"
import { changedFields } from "./changed-fields.ts"

it.each([
  [{ a: 1, b: [1] }, { a: 1, b: [1] }, null],
  [{ a: 1, b: [1] }, { a: 1, b: [2] }, { b: [2] }],
  [{}, { a: 1, b: [] }, { a: 1, b: [] }],
])("from %o to %o changes %o", (last, next, changed) => {
  expect(changedFields(last, next)).toEqual(changed)
})
