import type { Runtime } from "@docket/core"
import type { WorkspaceRuntimes } from "../workspaces/create-workspace-runtimes.ts"

/** For services of tests with one runtime that they make themselves. */
export function onlyFirst(runtime: Runtime): WorkspaceRuntimes {
  const refuse = () => Promise.reject(new Error("This service has one workspace."))
  return {
    runtime: (id) => (id === "local" ? runtime : null),
    list: () => [],
    create: refuse,
    remove: refuse,
    finishRemovals: async () => undefined,
    openWaiting: async () => undefined,
    close: async () => undefined,
  }
}
