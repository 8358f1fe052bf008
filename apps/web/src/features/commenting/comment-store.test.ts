import { expect, test } from "vitest"
import { createCommentStore } from "./comment-store.ts"

test("a newly opened page keeps the comment to go to until reached", () => {
  const words = { partID: "prt_1", of: "text", from: 2, to: 7 } as const
  const before = createCommentStore()
  before.reveal("prt_1")
  before.seek(words)
  const opened = createCommentStore()
  expect(opened.get()).toMatchObject({ revealed: "prt_1", sought: words })
  opened.reveal(null)
  opened.seek(null)
  expect(createCommentStore().get()).toMatchObject({ revealed: null, sought: null })
})
