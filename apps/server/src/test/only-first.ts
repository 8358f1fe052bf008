import type { Runtime } from "@docket/core"
import type { WorkspaceRuntimes } from "../workspaces/create-workspace-runtimes.ts"

/** For test services with a single runtime that the test creates. */
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
