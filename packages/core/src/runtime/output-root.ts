import { join } from "node:path"
import type { RuntimeDeps } from "./runtime-deps.ts"

/** Where long outputs of tools are kept. */
export function outputRootOf({ dataDirectory }: Pick<RuntimeDeps, "dataDirectory">): string {
  return join(dataDirectory, "tool-output")
}
