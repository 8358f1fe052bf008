import type { TreeSnapshot } from "@docket/core"
import { procedure } from "../trpc.ts"
import { SessionInput } from "./input.ts"

/** The whole tree around any of its sessions, without messages. Subscribe from its `seq`. */
export const sessionTree = procedure
  .input(SessionInput)
  .query(({ ctx, input }): Promise<TreeSnapshot> => ctx.runtime.session.tree(input.sessionID))
