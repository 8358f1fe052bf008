import { fileURLToPath } from "node:url"

/** The repository's directory, without a slash at the end. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "")
