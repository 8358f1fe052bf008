import { expect, it } from "vitest"
import { filtersIn, toggled, withoutFilter } from "./query-filters.ts"

const sources = (text: string) => filtersIn(text).map(({ isNot, source }) => `${isNot ? "-" : ""}${source}`)

it("reads the filters of a query and ignores other colons", () => {
  expect(sources('fix agent:explore -tool:bash file:"a b.ts" std::vector http://x "by:me" cost:')).toEqual([
    "agent:explore",
    "-tool:bash",
    'file:"a b.ts"',
  ])
})

it("puts a filter before the words and removes it anywhere", () => {
  expect(toggled("fix it", "kind:prompt")).toBe("kind:prompt fix it")
  expect(toggled("fix KIND:prompt it", "kind:prompt")).toBe("fix it")
  expect(toggled("-kind:prompt it", "kind:prompt")).toBe("kind:prompt -kind:prompt it")
})

it("takes out one filter of several", () => {
  const [, second] = filtersIn("agent:a agent:b fix")
  expect(second && withoutFilter("agent:a agent:b fix", second)).toBe("agent:a fix")
})
