import { DocketError, type Runtime, type UseCases } from "@docket/core"
import type { Identity } from "./auth/identity.ts"

/** The workspaces of a service. */
export interface Workspaces {
  /** The runtime of a workspace; null when there is no such workspace. */
  runtime(workspaceID: string): Runtime | null | Promise<Runtime | null>
}

/**
 * The use cases of somebody in their workspace. `key`: see `Runtime.as`. @throws workspace_not_found when it was
 * removed meanwhile
 */
export async function useCasesOf(workspaces: Workspaces, { caller }: Identity, key?: string): Promise<UseCases> {
  const runtime = await workspaces.runtime(caller.workspace)
  if (runtime !== null) return runtime.as(caller, key)
  throw new DocketError("workspace_not_found", "This workspace is not there any more. Go to another one.")
}
