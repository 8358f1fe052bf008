import { enableCompileCache } from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"

/**
 * Lets the next start read compiled code instead of source. The directory of the package may belong to another user, so
 * the code is kept in the user's cache.
 */
export function keepCompiledCode() {
  // biome-ignore lint/style/noProcessEnv: it runs before the module that reads the environment
  enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "docket", "compiled"))
}
