import type { Runtime, UseCases } from "@docket/core"

/** Reads the links of a workspace for whoever has one: they cause nothing. */
export interface LinkReader {
  runtime: UseCases
  workspace: string
}

export function createLinkReader(runtime: Pick<Runtime, "as">, workspace: string): LinkReader {
  return { runtime: runtime.as({ person: "a link's reader", workspace }), workspace }
}
