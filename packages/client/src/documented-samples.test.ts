import { readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const samples = ["docs/client.md", "docs/api.md", "packages/client/README.md"].flatMap((file) =>
  [...readFileSync(root + file, "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ({ 1: sample = "" }, index) => [`${file} #${index + 1}`, sample] as const,
  ),
)
const modules: Record<string, string> = {
  "@docket/client": readFileSync(`${root}packages/client/src/index.ts`, "utf8"),
  "@docket/client/react": readFileSync(`${root}packages/client/src/react.ts`, "utf8"),
}

test.each(samples)("the sample %s parses and imports only what the client exports", (_, sample) => {
  expect(() => stripTypeScriptTypes(sample)).not.toThrow()
  const missing = [...sample.matchAll(/import (?:type )?\{([^}]*)\} from "(@docket\/client(?:\/react)?)"/g)].flatMap(
    ({ 1: names = "", 2: from = "" }) =>
      names
        .split(",")
        .map((name) => name.trim().replace(/^type /, ""))
        .filter((name) => name !== "" && !new RegExp(`\\b${name}\\b`).test(modules[from] ?? "")),
  )
  expect(missing).toEqual([])
})

test("the documentation of the client has samples", () => {
  expect(samples.length).toBeGreaterThan(4)
})
