import { expect, it } from "vitest"
import { resolveSource } from "./resolve-source.js"

const source = "file:///work/docket/packages/core/src/tool/read.ts"
type Hook = Parameters<typeof resolveSource>

/** The result, and what was passed on to Node. */
function resolving(specifier: string, parentURL: string) {
  const asked: string[] = []
  const next = ((name: string) => {
    asked.push(name)
    return { url: `file:///found/${name}`, format: "module" }
  }) as Hook[2]
  return { answer: resolveSource(specifier, { conditions: [], importAttributes: {}, parentURL }, next), asked }
}

it("a relative import of a source is resolved without looking at files", () => {
  const { answer, asked } = resolving("../file/open.ts", source)
  expect(answer).toMatchObject({
    url: "file:///work/docket/packages/core/src/file/open.ts",
    format: "module-typescript",
  })
  expect(asked).toEqual([])
})

it("a package is resolved once for each workspace package", () => {
  expect(resolving("zod", source).asked).toEqual(["zod"])
  expect(resolving("zod", source.replace("read", "write"))).toMatchObject({
    asked: [],
    answer: { url: "file:///found/zod" },
  })
  expect(resolving("zod", source.replace("core", "api")).asked).toEqual(["zod"])
})

it("imports inside foreign packages are left to Node", () => {
  const outside = "file:///work/docket/node_modules/ai/src/index.ts"
  expect(resolving("./text.ts", outside).asked).toEqual(["./text.ts"])
  expect(resolving("./text.ts", outside).asked).toEqual(["./text.ts"])
})
