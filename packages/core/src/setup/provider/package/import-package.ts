import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { DocketError } from "../../../ground/error/docket-error.ts"
import type { InstalledPackage } from "../../../ground/schema/index.ts"
import { redactSecrets } from "../redact-secrets.ts"

const entry = "entry.mjs"

/** Imports the package from where it is installed: Node finds its entry by the rules of `import`. */
export async function writeEntry(directory: string, name: string): Promise<void> {
  await writeFile(join(directory, entry), `export * as exports from ${JSON.stringify(name)}\n`)
}

/** Runs the package's code. @throws package_invalid */
export async function importPackage(
  directory: string,
  { name, version }: Pick<InstalledPackage, "name" | "version">,
): Promise<Record<string, unknown>> {
  try {
    const { exports }: { exports: Record<string, unknown> } = await import(pathToFileURL(join(directory, entry)).href)
    return exports
  } catch (cause) {
    const reason = redactSecrets(cause instanceof Error ? cause.message : String(cause)).slice(0, 400)
    const message = `The package ${name}@${version} cannot be loaded: ${reason} Remove it in Settings and install another version.`
    throw new DocketError("package_invalid", message, { cause })
  }
}
