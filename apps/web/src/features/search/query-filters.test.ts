import { expect, it } from "vitest"
import { filtersIn, toggled, withoutFilter } from "./query-filters.ts"

const sources = (text: string) => filtersIn(text).map(({ isNot, source }) => `${isNot ? "-" : ""}${source}`)

it("the filters of a query are read, other colons ignored", () => {
  expect(sources('fix agent:explore -tool:bash file:"a b.ts" std::vector http://x "by:me" cost:')).toEqual([
    "agent:explore",
    "-tool:bash",
    'file:"a b.ts"',
  ])
})

it("a toggled filter is put before the words, or removed anywhere", () => {
  expect(toggled("fix it", "kind:prompt")).toBe("kind:prompt fix it")
  expect(toggled("fix KIND:prompt it", "kind:prompt")).toBe("fix it")
  expect(toggled("-kind:prompt it", "kind:prompt")).toBe("kind:prompt -kind:prompt it")
})

it("one of several filters is removed, the others stay", () => {
  const [, second] = filtersIn("agent:a agent:b fix")
  expect(second && withoutFilter("agent:a agent:b fix", second)).toBe("agent:a fix")
})
