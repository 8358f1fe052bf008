import { expect, it } from "vitest"
import { awaitedText } from "./awaited-text.ts"

const text = (...[kind, name, why]: [Parameters<typeof awaitedText>[0]["kind"], string | null, "gone" | "draining"]) =>
  Object.values(awaitedText({ kind, name, why }))

it.each([
  [
    text("host", "lone", "gone"),
    ["for host lone, which has the files.", "Start Docket there again:", "docket serve --role worker"],
  ],
  [
    text("storage", "team", "gone"),
    [
      "for a host with the storage team, which has the files.",
      "Start Docket on one:",
      "docket serve --role worker --storage team",
    ],
  ],
  [text("any", null, "gone"), ["for a worker: none is there.", "Start one:", "docket serve --role worker"]],
  [
    text("host", "lone", "draining"),
    ["for host lone, which takes no more work at present.", "Let it take work again, in Settings under Nodes.", null],
  ],
])("says what work waits for, and what helps: %j", (said, words) => {
  expect(said).toEqual(words)
})
