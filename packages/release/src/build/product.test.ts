import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { readProduct } from "./product.ts"

test("a release with two versions is refused by name", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "docket-product-"))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const product = { name: "docket", version: "1.0.0", description: "It.", license: "MIT" }
  for (const part of ["", "apps/cli", "apps/server", "apps/web", "packages/client"]) {
    await mkdir(path.join(root, part), { recursive: true })
    await writeFile(path.join(root, part, "package.json"), JSON.stringify(product))
  }
  expect(await readProduct(root)).toEqual(product)
  await writeFile(path.join(root, "apps/web/package.json"), JSON.stringify({ ...product, version: "0.9.0" }))
  await expect(readProduct(root)).rejects.toThrow("apps/web/package.json says 0.9.0, and package.json 1.0.0")
})
