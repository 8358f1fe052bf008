import { access } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { LanguageModelV4Middleware } from "@ai-sdk/provider"
import { DocketError } from "../../ground/error/docket-error.ts"
import { redactSecrets } from "./redact-secrets.ts"

/** The user's own middleware of that name. @throws config_invalid */
export type LoadMiddleware = (name: string) => Promise<LanguageModelV4Middleware>

const extensions = [".ts", ".mjs", ".js"]
const hooks = [
  "transformParams",
  "wrapStream",
  "wrapGenerate",
  "overrideProvider",
  "overrideModelId",
  "overrideSupportedUrls",
]

/**
 * Loads middlewares from one directory beside the user's own docket.json. Config names them without a path, so a
 * project that is trusted can choose among the user's, and adds none of its own.
 */
export function createMiddlewareLoader(directory: string | null): LoadMiddleware {
  return async (name) => {
    const file = directory === null ? null : await findFile(directory, name)
    if (file === null) {
      const where = directory === null ? "" : ` in ${directory}`
      throw new DocketError(
        "config_invalid",
        `There is no middleware "${name}"${where}: a file ${name}.ts, .mjs or .js.`,
      )
    }
    const loaded: unknown = await importFile(file)
    if (isMiddleware(loaded)) return loaded
    const message = `${file} exports no middleware: its default export is to be an object with ${hooks.slice(0, 3).join(", ")} or the like.`
    throw new DocketError("config_invalid", message)
  }
}

async function findFile(directory: string, name: string): Promise<string | null> {
  for (const extension of extensions) {
    const file = join(directory, `${name}${extension}`)
    const exists = await access(file).then(
      () => true,
      () => false,
    )
    if (exists) return file
  }
  return null
}

async function importFile(file: string): Promise<unknown> {
  try {
    const module: { default?: unknown } = await import(pathToFileURL(file).href)
    return module.default
  } catch (error) {
    const reason = redactSecrets(error instanceof Error ? error.message : String(error))
    throw new DocketError("config_invalid", `The middleware ${file} cannot be loaded: ${reason}`, { cause: error })
  }
}

function isMiddleware(value: unknown): value is LanguageModelV4Middleware {
  return typeof value === "object" && value !== null && hooks.some((hook) => hook in value)
}
